// Accounts, for the eye.

import type { UserView } from '@millrace/protocol'
import { self } from '../output/own-name.ts'
import { table } from '../output/table.ts'
import { showAgo } from '../output/time.ts'

export function showUsers(users: readonly UserView[]): string {
  if (users.length === 0) return `No accounts yet. Make one: ${self} users create <name>`
  return table(
    ['user', 'role', 'made'],
    users.map(({ user, role, createdAt }) => [user, role, showAgo(createdAt, Date.now())]),
  )
}

export function showUser(user: UserView): string {
  return showUsers([user])
}
