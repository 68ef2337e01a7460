// How the app looks: its accent, its greys with a touch of water, its type scale, and the colours of a job's states.

import {
  ActionIcon,
  Badge,
  Button,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeOverride,
  Paper,
  Tooltip,
} from '@mantine/core'

const race: MantineColorsTuple = [
  '#e6f6f6',
  '#cfeaeb',
  '#a3d6d8',
  '#72c0c4',
  '#4badb2',
  '#2f9ca2',
  '#107e85',
  '#0c7078',
  '#085a61',
  '#04444a',
]

const slate: MantineColorsTuple = [
  '#f5f7f7',
  '#eaeeee',
  '#d9dfe0',
  '#c2cbcc',
  '#9aa6a8',
  '#748184',
  '#5a6669',
  '#465154',
  '#343d40',
  '#23292b',
]

const night: MantineColorsTuple = [
  '#dbe4e4',
  '#b9c6c7',
  '#94a3a5',
  '#5d6c6f',
  '#3a474a',
  '#2b3638',
  '#202a2c',
  '#182022',
  '#12191b',
  '#0d1214',
]

export const theme: MantineThemeOverride = createTheme({
  primaryColor: 'race',
  primaryShade: { light: 7, dark: 6 },
  colors: { race, gray: slate, dark: night },
  respectReducedMotion: true,
  autoContrast: true,
  luminanceThreshold: 0.32,
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '5px', md: '8px', lg: '12px', xl: '20px' },
  fontFamily: 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "JetBrains Mono", "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.5', lg: '1.5', xl: '1.35' },
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.35' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  components: {
    // What it focuses first is hidden in the menu and no item of it, which readers stumble over.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Button: Button.extend({ defaultProps: { size: 'sm' } }),
    Badge: Badge.extend({ defaultProps: { tt: 'none', fw: 550, radius: 'sm' } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray' } }),
    Paper: Paper.extend({ defaultProps: { withBorder: true, radius: 'md' } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, withArrow: true } }),
  },
})

/** Text in a state's colour keeps 4.5 : 1 on its ground in both schemes; bars only need 3 : 1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#fbfcfb',
    '--mantine-color-text': '#1d2527',
    '--mantine-color-dimmed': '#566265',
    '--mantine-color-placeholder': '#647174',
    '--mantine-color-default-border': '#d9dfe0',
    '--mantine-color-error': '#b5302a',
    '--ground': '#f2f5f4',
    '--raised': '#ffffff',
    '--state-pending': '#8a969a',
    '--state-assigned': '#d99a00',
    '--state-running': '#2a78cf',
    '--state-completed': '#2c9350',
    '--state-failed': '#cf3f38',
    '--state-cancelled': '#56636a',
    '--word-pending': '#566265',
    '--word-assigned': '#815800',
    '--word-running': '#1c61ac',
    '--word-completed': '#1d6e3a',
    '--word-failed': '#b5302a',
    '--word-cancelled': '#4d595f',
  },
  dark: {
    '--mantine-color-body': '#12191b',
    '--mantine-color-text': '#dbe4e4',
    '--mantine-color-dimmed': '#9fb0b2',
    '--mantine-color-placeholder': '#8b9b9e',
    '--mantine-color-default-border': '#2b3638',
    '--mantine-color-error': '#ff8a80',
    '--ground': '#0d1214',
    '--raised': '#182022',
    '--state-pending': '#7c8b8f',
    '--state-assigned': '#e3b03a',
    '--state-running': '#4b97ea',
    '--state-completed': '#41ad69',
    '--state-failed': '#e5645c',
    '--state-cancelled': '#93a2a6',
    '--word-pending': '#a9b7b9',
    '--word-assigned': '#ecc266',
    '--word-running': '#7fb6f2',
    '--word-completed': '#6ccb90',
    '--word-failed': '#ff8f87',
    '--word-cancelled': '#a9b7b9',
  },
})
