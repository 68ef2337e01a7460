// The room somebody was in last: where they come back to.

const key = 'millrace.room'

export function lastRoom(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function keepLastRoom(room: string | null): void {
  try {
    if (room === null) localStorage.removeItem(key)
    else localStorage.setItem(key, room)
  } catch {
    return
  }
}
