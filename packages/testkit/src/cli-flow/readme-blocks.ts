// The shell blocks of the README, with what a comment above each says about it: what it prints, or that it stays and what
// it prints when it is ready. Readers do not see the comments.

export interface ReadmeBlock {
  readonly section: string
  readonly script: string
  /** It does not end by itself. */
  readonly stays: boolean
  /** Each has to be in what it prints. */
  readonly prints: readonly string[]
}

const heading = /^#{2,3} (?<title>.+)$/
const remark = /^<!-- (?<kind>prints|stays and prints): (?<texts>.+) -->$/

export function readmeBlocks(text: string): readonly ReadmeBlock[] {
  const blocks: ReadmeBlock[] = []
  let section = ''
  let above: string | undefined
  let script: string[] | null = null
  for (const line of text.split('\n')) {
    if (script !== null && line !== '```') script.push(line)
    else if (script !== null) {
      blocks.push({ section, script: script.join('\n'), ...saidBy(above) })
      script = null
    } else if (line === '```sh') script = []
    else section = heading.exec(line)?.groups?.title ?? section
    if (script === null) above = line
  }
  return blocks
}

function saidBy(above: string | undefined): Pick<ReadmeBlock, 'stays' | 'prints'> {
  const { kind, texts } = remark.exec(above ?? '')?.groups ?? {}
  return { stays: kind === 'stays and prints', prints: texts === undefined ? [] : texts.split(' | ') }
}
