// Cuts a text to its limit, never through the middle of a character.

export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 2)
  const splitsPair = last >= 0xd800 && last <= 0xdbff
  return `${text.slice(0, splitsPair ? limit - 2 : limit - 1)}…`
}
