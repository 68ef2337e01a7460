// Tells code from comments, strings, templates and regular expressions, so that a checker that looks for a word in
// code does not find it in prose. TypeScript 7 has no JS API; a scanner is all that is needed here.

export type Kind = 'code' | 'comment' | 'string' | 'template' | 'regex'

export interface Segment {
  readonly kind: Kind
  readonly text: string
}

const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const string = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y
const template = /[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y
const regex = /\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y

// A slash after one of these opens a regular expression; after a value it divides.
const beforeRegex = /(?:^|[([{,;:=!&|?+\-*%<>~^}]|\b(?:return|typeof|case|in|of|await|yield|throw))\s*$/

export function segments(text: string): readonly Segment[] {
  const found: Segment[] = []
  // One entry for each `${` that is open: how many braces of plain code were opened inside it.
  const openTemplates: number[] = []
  let at = 0
  let codeFrom = 0

  const take = (kind: Kind, pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const match = pattern.exec(text)?.[0]
    if (match === undefined) return null
    if (at > codeFrom) found.push({ kind: 'code', text: text.slice(codeFrom, at) })
    found.push({ kind, text: match })
    at += match.length
    codeFrom = at
    return match
  }

  while (at < text.length) {
    const char = text[at]
    const depth = openTemplates.at(-1)
    if (char === '/' && take('comment', comment) !== null) continue
    if (char === '/' && beforeRegex.test(text.slice(codeFrom, at)) && take('regex', regex) !== null) continue
    if ((char === "'" || char === '"') && take('string', string) !== null) continue
    if (char === '`' || (char === '}' && depth === 0)) {
      const part = take('template', template)
      if (char === '}') openTemplates.pop()
      if (part?.endsWith('${')) openTemplates.push(0)
      if (part !== null) continue
    }
    if (depth !== undefined && char === '{') openTemplates[openTemplates.length - 1] = depth + 1
    if (depth !== undefined && char === '}') openTemplates[openTemplates.length - 1] = depth - 1
    at += 1
  }
  if (at > codeFrom) found.push({ kind: 'code', text: text.slice(codeFrom) })
  return found
}

/** The text with everything but the kept kinds blanked: offsets and lines stay what they were. */
export function keeping(text: string, ...kinds: readonly Kind[]): string {
  return segments(text)
    .map((part) => (kinds.includes(part.kind) ? part.text : part.text.replace(/[^\n]/g, ' ')))
    .join('')
}

/** The contents of the string and template literals, in order. */
export function literals(text: string): readonly string[] {
  return segments(text)
    .filter((part) => part.kind === 'string' || part.kind === 'template')
    .map((part) => part.text.slice(1))
}
