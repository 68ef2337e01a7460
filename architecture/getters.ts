// Getters stand in classes. Each evaluation of an object literal with a getter makes a hidden class that V8 keeps among
// the old objects until a full collection, and with it everything that the getter can reach: one such literal kept every
// request of the server alive for seconds.

import { segments } from './code-view.ts'
import { type Checker, eachFile } from './describe-checker.ts'
import { isTest, isTypeScript } from './source-file.ts'

const ships = (path: string): boolean => /^packages\//.test(path) && isTypeScript(path) && !isTest(path)

export const checkGetters: Checker = eachFile(ships, ({ path, text }) =>
  literalGetters(text).map((line) => `${path}:${line} has a getter in an object literal; make it a class`),
)

const mark = /[{}]|\b(?:get|set)\s+[\w$]+\(/g

/** The lines at which a getter or a setter stands directly within braces that are no body of a class. */
function literalGetters(text: string): readonly number[] {
  const code = segments(text)
    .map((part) => (part.kind === 'code' ? part.text : part.text.replaceAll(/[^\n]/g, ' ')))
    .join('')
  const lines: number[] = []
  const bodies: boolean[] = []
  for (const { 0: found, index } of code.matchAll(mark)) {
    if (found === '{') bodies.push(/\bclass\b[^{};]*$/.test(code.slice(0, index)))
    else if (found === '}') bodies.pop()
    else if (bodies.at(-1) === false) lines.push(code.slice(0, index).split('\n').length)
  }
  return lines
}
