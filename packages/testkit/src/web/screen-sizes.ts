// The screens that pages are looked at on.

import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Judged in the page, which has what tests have not. */
const widerThanScreen = 'document.documentElement.scrollWidth > innerWidth'

const desk = { width: 1280, height: 900 }
const tablet = { width: 800, height: 900 }
const phone = { width: 390, height: 844 }

export async function onDesk(page: Page): Promise<void> {
  await page.setViewportSize(desk)
}

export async function onTablet(page: Page): Promise<void> {
  await page.setViewportSize(tablet)
}

export async function onPhone(page: Page): Promise<void> {
  await page.setViewportSize(phone)
}

/** Turned to a phone, and drawn anew for it, no page goes beyond its edge. */
export async function fitsPhone(page: Page, path: string): Promise<void> {
  await onPhone(page)
  await expect.poll(() => page.evaluate<boolean>(widerThanScreen), { message: path }).toBe(false)
}
