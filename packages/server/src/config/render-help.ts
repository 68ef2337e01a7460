// The options as a terminal shows them.

import { optionNames, optionOf } from './options.ts'
import { shownDefault } from './render-config-page.ts'

export function renderHelp(): string {
  const lines = [
    'Options; each can also be a variable or a key of the file. The page docs/generated/config.md has more.',
    '',
  ]
  let group = ''
  for (const name of optionNames) {
    const option = optionOf(name)
    if (option.group !== group) {
      group = option.group
      lines.push(`${group}:`)
    }
    const flag = option.flag === null ? `${name} (variable or file only)` : `--${option.flag}`
    const variables = option.env.map((variable) => variable.name).join(', ')
    lines.push(`  ${flag}`, `      ${option.is}`)
    lines.push(`      ${variables}; default: ${shownDefault(name).replaceAll('`', '')}`)
  }
  lines.push('Where values come from:')
  lines.push(
    '  --config',
    '      A JSON file with further options, below flags and environment. MILLRACE_CONFIG',
  )
  lines.push('  --help', '      This text.', '')
  return lines.join('\n')
}
