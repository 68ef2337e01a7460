// Stands in for the Markdown of the form library: text that a worker sent is shown as text and never as markup.

import type { ReactElement, ReactNode } from 'react'

export function Markdown({ children }: { readonly children?: ReactNode }): ReactElement {
  return <>{children}</>
}
