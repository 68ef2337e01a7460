// Data of a job in one line, as short as it can be recognised by.

const longest = 60

export function inputText(data: unknown): string {
  if (typeof data !== 'object' || data === null) return JSON.stringify(data) ?? ''
  if (Array.isArray(data)) return `${data.length} entries`
  return Object.entries(data)
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .join(' ')
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
