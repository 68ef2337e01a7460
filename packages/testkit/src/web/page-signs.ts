// What tests wait for on any page.

import type { Page } from 'playwright-core'

export function isLive(page: Page): Promise<void> {
  return page.getByTestId('live-chip').getByText('live', { exact: true }).waitFor()
}

export function hasStatus(page: Page, status: string): Promise<void> {
  return page.getByTestId('job-status').getByText(status, { exact: true }).waitFor()
}
