import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { completeWords } from './completion/complete-words.ts'
import { asTyped, self } from './output/own-name.ts'
import { createProgram } from './program.ts'

interface Leaf {
  readonly path: string
  readonly command: Command
}

function leavesOf(command: Command, path: readonly string[] = []): readonly Leaf[] {
  const here = path.join(' ')
  if (command.commands.length === 0) return [{ path: here, command }]
  return command.commands.flatMap((each) => leavesOf(each, [...path, each.name()]))
}

const program = createProgram('0.0.0')
const leaves = leavesOf(program).filter(({ path }) => path !== '__complete')

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp()
  return text
}

describe('the tree of commands', () => {
  // `start` has the options of a server, and its help is the server's own.
  it.each(leaves.filter(({ path }) => path !== 'start'))(
    '[N4] $path says what it does and shows how it is used',
    ({ path, command }) => {
      expect(command.description()).toMatch(/\S{2,}/)
      const help = helpOf(command)
      expect(help).toMatch(new RegExp(`^ {2}\\$ .*\\b${path.replaceAll(' ', '\\b.*\\b')}\\b`, 'm'))
      for (const { name, description } of command.registeredArguments.map((one) => ({
        name: one.name(),
        description: one.description,
      })))
        expect(description, name).not.toBe('')
    },
  )

  it('[N4] the help at the top has every command in a group', () => {
    const help = helpOf(program)
    for (const each of program.commands.filter((one) => one.name() !== '__complete')) {
      expect(each.helpGroup(), each.name()).toMatch(/^[A-Z].*:$/)
      expect(help).toMatch(new RegExp(`^ {2}${each.name()}\\b`, 'm'))
    }
    expect(help).not.toContain('__complete')
    expect(help).toContain('exit-codes')
  })

  it('[N1] every command that answers takes --json', () => {
    const silent = ['completion']
    const without = leaves.filter(({ command }) => !command.options.some(({ long }) => long === '--json'))
    expect(without.map(({ path }) => path).filter((path) => !silent.includes(path))).toEqual([])
  })

  it('[N95] help fits a screen of 80, and the options that all commands share come last', () => {
    for (const { command } of leaves.filter(({ path }) => path !== 'start')) {
      const help = helpOf(command)
      const prose = help.split('\n').filter((line) => !line.startsWith('  $ '))
      expect(prose.filter((line) => line.length > 80)).toEqual([])
      const shared = help.indexOf('\nServer and output:')
      if (shared !== -1) expect(help.indexOf('\nOptions:')).toBeLessThan(shared)
    }
  })

  it('[N95] a line to be typed names the command as it is called here', () => {
    const typed = 'MILLRACE_TOKEN=$(millrace tokens create) millrace worker ./millrace w.ts | millrace-x'
    expect(asTyped(typed)).toBe(
      `MILLRACE_TOKEN=$(${self} tokens create) ${self} worker ./millrace w.ts | millrace-x`,
    )
  })

  it('[N9] nothing but commander and our own files is loaded before a command runs', () => {
    const seen = new Set<string>()
    const outside = new Set<string>()
    const visit = (file: string): void => {
      if (seen.has(file)) return
      seen.add(file)
      const text = readFileSync(file, 'utf8')
      for (const [, clause = '', from = ''] of text.matchAll(
        /^(?:import|export) ([^'"]*?)from '([^']+)'/gms,
      )) {
        const isType = /^type\b/.test(clause)
        if (!isType && from.startsWith('.')) visit(join(dirname(file), from))
        else if (!isType && !from.startsWith('node:')) outside.add(from)
      }
    }
    visit(fileURLToPath(new URL('./main.ts', import.meta.url)))
    expect(seen.size).toBeGreaterThan(40)
    expect([...outside].toSorted()).toEqual(['commander'])
    expect(
      [...seen].map((file) => relative(import.meta.dirname, file)).filter((path) => path.startsWith('..')),
    ).toEqual([])
  })
})

describe('completion', () => {
  const asked: string[] = []
  const complete = async (...words: readonly string[]): Promise<readonly string[]> => {
    const found = await completeWords(program, words, async (kind, typed) => {
      asked.push(`${kind} ${JSON.stringify(typed)}`)
      return [`${kind}-1`, `${kind}-2`].map((value) => ({ value, about: '' }))
    })
    return found.map(({ value }) => value)
  }

  it.each([
    [['jo'], ['jobs']],
    [['jobs', 'c'], ['cancel']],
    [['jobs', 'ls', '--dead'], ['--dead-letters']],
    [
      ['rooms', 'access', 'lab', ''],
      ['open', 'private'],
    ],
    [['users', 'create', 'x', '--role', 'a'], ['admin']],
    [['completion', 'f'], ['fish']],
    [['worker', ''], [':files']],
    [
      ['jobs', 'get', ''],
      ['job-1', 'job-2'],
    ],
    [['why', 'job-2'], ['job-2']],
    [
      ['submit', '--room', ''],
      ['room-1', 'room-2'],
    ],
    [['submit', '--room=lab', 'extension-1'], ['extension-1']],
    [
      ['submit', 'Relax', '--set', ''],
      ['name=value-1', 'name=value-2'],
    ],
  ])('[N27] after %j it proposes %j', async (words, values) => {
    expect(await complete(...words)).toEqual(values)
  })

  it('[N27] whoever knows the names is told what was typed before', async () => {
    asked.length = 0
    await complete('jobs', 'ls', '--profile', 'dev', '--room=lab', '--extension', '')
    expect(asked).toEqual(['extension {"options":{"profile":"dev","room":"lab"},"operands":[]}'])
  })

  it('[N27] hidden commands are proposed to nobody', async () => {
    expect(await complete('')).not.toContain('__complete')
    expect(await complete('')).toContain('help')
  })
})
