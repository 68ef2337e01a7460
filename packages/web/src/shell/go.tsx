// A link inside the app: an ordinary one for everything a browser does with links, and no reload for a plain click.

import { Anchor, type AnchorProps } from '@mantine/core'
import type { ComponentPropsWithRef, MouseEvent, ReactElement } from 'react'
import { browserHistory } from './browser-history.ts'

type PlainProps = Omit<ComponentPropsWithRef<'a'>, 'href'> & { readonly to: string }

export function PlainLink({ to, onClick, children, ...rest }: PlainProps): ReactElement {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (event.defaultPrevented || !isPlain) return
    event.preventDefault()
    browserHistory.push(to)
  }
  return (
    <a href={to} onClick={follow} {...rest}>
      {children}
    </a>
  )
}

export function Go({ to, children, ...rest }: AnchorProps & PlainProps): ReactElement {
  return (
    <Anchor inherit component={PlainLink} to={to} {...rest}>
      {children}
    </Anchor>
  )
}

export function go(to: string, how?: 'replace'): void {
  if (how === 'replace') browserHistory.replace(to)
  else browserHistory.push(to)
}
