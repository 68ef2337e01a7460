// An owner says who belongs to a room, and those who are told so see it.

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { type Open, slow } from './describe-web.ts'
import { isLive } from './page-signs.ts'

const grace = { user: 'grace', password: 'correct horse' }

export function memberCases(scene: Open): void {
  it(
    '[U124] an owner adds somebody to a private room, who then sees it, and removes them',
    slow,
    async () => {
      await scene().page()
      await scene().api.expect(201, 'POST', '/api/users', { ...grace, role: 'user' })
      await scene().api.expect(201, 'POST', '/api/rooms', { name: 'den', access: 'private' })
      const hers = await scene().strangerPage()
      await signIn(hers, scene().server.url)
      expect(await seesDen(hers)).toBe(false)

      const page = await scene().goTo('/rooms/den')
      await page.getByRole('button', { name: 'Members' }).click()
      const dialog = page.getByRole('dialog', { name: 'Members of den' })
      await dialog.getByLabel('Name of an account').fill('nobody-here')
      await dialog.getByRole('button', { name: 'Add' }).click()
      await dialog.getByText('There is no such user.').waitFor()
      await dialog.getByLabel('Name of an account').fill(grace.user)
      await dialog.getByRole('button', { name: 'Add' }).click()
      const listed = dialog.getByRole('list', { name: 'Members' }).getByText(grace.user, { exact: true })
      await listed.waitFor()
      expect(await seesDen(hers)).toBe(true)
      await hers.getByRole('link', { name: /^den/ }).click()
      await hers.getByRole('heading', { level: 1, name: 'den' }).waitFor()
      expect(await hers.getByRole('button', { name: 'Members' }).count()).toBe(0)

      await dialog.getByRole('button', { name: 'Remove grace' }).click()
      await listed.waitFor({ state: 'detached' })
      expect(await seesDen(hers)).toBe(false)
      await hers.context().close()
    },
  )
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('Name').fill(grace.user)
  await page.getByRole('textbox', { name: 'Password' }).fill(grace.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await isLive(page)
}

/** The room that is always there shows when the list has come. */
async function seesDen(page: Page): Promise<boolean> {
  await page.goto(new URL('/rooms', page.url()).href)
  await page.getByRole('link', { name: /^lab/ }).waitFor()
  return (await page.getByRole('link', { name: /^den/ }).count()) > 0
}
