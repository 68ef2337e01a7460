// Reads sections of the README as a newcomer does: types what stands in their blocks, one after the other, leaves open
// what stays, and compares what is printed with what is promised.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandProcess, type Place, repository, run } from './command-process.ts'
import { gone } from './process-family.ts'
import { type ReadmeBlock, readmeBlocks } from './readme-blocks.ts'
import { makeClone } from './readme-clone.ts'

export class ReadmeReader {
  readonly #blocks: readonly ReadmeBlock[]
  readonly #place: Place
  readonly #open: CommandProcess[] = []

  private constructor(blocks: readonly ReadmeBlock[], place: Place) {
    this.#blocks = blocks
    this.#place = place
  }

  static async open(): Promise<ReadmeReader> {
    const text = readFileSync(join(repository, 'README.md'), 'utf8')
    return new ReadmeReader(readmeBlocks(text), await makeClone())
  }

  /** Answers how many blocks it typed. */
  async read(section: string): Promise<number> {
    const blocks = this.#blocks.filter((block) => block.section === section)
    for (const block of blocks) await this.#type(block)
    return blocks.length
  }

  /** Ctrl-C in every terminal, the last first. */
  async close(): Promise<void> {
    for (const command of this.#open.reverse()) {
      const family = command.family()
      if (family.length > 0) command.signalGroup('SIGINT')
      await gone(family)
    }
  }

  async #type({ script, stays, prints }: ReadmeBlock): Promise<void> {
    if (prints.length === 0) throw new Error(`nothing says what this block prints:\n${script}`)
    const words = ['-ec', installed(script)]
    if (stays) {
      const command = new CommandProcess('bash', words, this.#place)
      this.#open.push(command)
      for (const text of prints) await command.line(text)
      return
    }
    const { code, out, err } = await run('bash', words, this.#place)
    const missing = prints.filter((text) => !`${out}\n${err}`.includes(text))
    if (code === 0 && missing.length === 0) return
    throw new Error(
      `${script}\nended with ${code} and did not print ${JSON.stringify(missing)}:\n${out}\n${err}`,
    )
  }
}

/** The install is there already: it takes half a minute, and this is the tree that it made. */
function installed(script: string): string {
  return script.replace('npm ci && ', '')
}
