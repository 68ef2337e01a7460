// The addresses of the app's pages.

export const places = {
  signIn: '/sign-in',
  rooms: '/rooms',
  jobs: '/jobs',
  extensions: '/extensions',
  workers: '/workers',
  deadLetters: '/dead-letters',
  placement: '/placement',
  overview: '/overview',
  admin: '/admin',
} as const

export function placeOfRoom(room: string): string {
  return `/rooms/${encodeURIComponent(room)}`
}

export function placeOfJob(room: string, id: string): string {
  return `${placeOfRoom(room)}/jobs/${encodeURIComponent(id)}`
}

/** An extension's form, filled in as a job had it where one is named. */
export function placeOfRun(room: string, extension: string, like?: string): string {
  const asked = new URLSearchParams({ run: extension, ...(like !== undefined && { like }) })
  return `${placeOfRoom(room)}?${asked}`
}
