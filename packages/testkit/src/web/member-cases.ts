// An owner says who belongs to a room, and those who are told so see it; and people change their passwords.

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
      await signIn(hers, scene().server.url, grace)
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

export function passwordCases(scene: Open): void {
  it('[U134] whoever changes their password stays signed in, and only there', slow, async () => {
    await scene().page()
    const ada = { user: 'ada', password: 'correct horse' }
    await scene().api.expect(201, 'POST', '/api/users', { ...ada, role: 'user' })
    const hers = await scene().strangerPage()
    const elsewhere = await scene().strangerPage()
    for (const page of [hers, elsewhere]) await signIn(page, scene().server.url, ada)

    await hers.getByRole('button', { name: /account and look/ }).click()
    await hers.getByRole('button', { name: 'Change my password' }).click()
    const dialog = hers.getByRole('dialog', { name: 'Change my password' })
    await dialog.getByRole('textbox', { name: 'New password' }).fill('battery staple')
    await dialog.getByRole('textbox', { name: 'The same again' }).fill('battery stable')
    await dialog.getByRole('button', { name: 'Change it' }).click()
    await dialog.getByText('These are not the same.').waitFor()
    await dialog.getByRole('textbox', { name: 'The same again' }).fill('battery staple')
    await dialog.getByRole('button', { name: 'Change it' }).click()
    await hers.getByText('Your password is changed.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await elsewhere.getByText('Your session has ended.').waitFor()
    await isLive(hers)
    await hers.getByRole('link', { name: 'Rooms', exact: true }).click()
    await hers.getByRole('link', { name: /^lab/ }).waitFor()

    const login = (password: string) =>
      scene().api.call('POST', '/api/auth/login', { user: ada.user, password })
    expect([await login(ada.password), await login('battery staple')]).toMatchObject([
      { status: 401 },
      { status: 200 },
    ])
    for (const page of [hers, elsewhere]) await page.context().close()
  })
}

async function signIn(page: Page, url: string, account: typeof grace): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('Name').fill(account.user)
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await isLive(page)
}

/** The room that is always there shows when the list has come. */
async function seesDen(page: Page): Promise<boolean> {
  await page.goto(new URL('/rooms', page.url()).href)
  await page.getByRole('link', { name: /^lab/ }).waitFor()
  return (await page.getByRole('link', { name: /^den/ }).count()) > 0
}
