// The JSON file. A key nobody knows is a problem, with the one that was probably meant.

import type { OptionName } from './config.ts'
import type { ConfigProblem } from './config-problem.ts'
import type { Given, GivenValues } from './config-source.ts'
import { didYouMean } from './nearest-name.ts'
import { optionNames } from './options.ts'

export interface ReadConfigFile {
  readonly given: GivenValues
  readonly problems: readonly ConfigProblem[]
}

export function readConfigFile(path: string, readFile: (path: string) => string): ReadConfigFile {
  const content = parseFile(path, readFile)
  if (typeof content === 'string') {
    return { given: new Map(), problems: [{ option: 'config', from: path, message: content }] }
  }
  const given = new Map<OptionName, Given>()
  const problems: ConfigProblem[] = []
  for (const [key, raw] of Object.entries(content)) {
    const option = optionNames.find((name) => name === key)
    if (option) given.set(option, { raw, source: { from: 'file', name: `${key} in ${path}` } })
    else {
      const message = `There is no such key.${didYouMean(key, optionNames)}`
      problems.push({ option: key, from: path, message })
    }
  }
  return { given, problems }
}

/** The object in the file, or what is wrong with it. */
function parseFile(
  path: string,
  readFile: (path: string) => string,
): Readonly<Record<string, unknown>> | string {
  let content: unknown
  try {
    content = JSON.parse(readFile(path))
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : String(fault)
    // What the parser says quotes the file, which may hold a password.
    return fault instanceof SyntaxError ? 'The file is not JSON.' : `The file cannot be read: ${why}.`
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return 'The file has to hold one JSON object.'
  }
  return content as Readonly<Record<string, unknown>>
}
