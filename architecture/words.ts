// One word, one meaning: file and type names use the words of SPEC.md and none of their synonyms, and no drawer is
// called after nothing in particular.

import { keeping } from './code-view.ts'
import { type Checker, eachFile } from './describe-checker.ts'
import { isTypeScript, lineAt } from './source-file.ts'

interface Word {
  readonly banned: RegExp
  readonly sentence: string
}

const fileWords: readonly Word[] = [
  { banned: /scheduler/i, sentence: 'the part that decides is called placement' },
  {
    banned: /(?:^|[-./])(?:utils?|helpers?|common|misc|shared|types)(?:[-./]|$)/,
    sentence: 'a drawer is no concept',
  },
  {
    banned: /^(?!packages\/manager\/|.*\/manager\/).*-manager\.tsx?$/,
    sentence: 'a manager is a host agent',
  },
  {
    banned: /^(?!packages\/worker\/|examples\/|.*\/worker\/).*-worker\.tsx?$/,
    sentence: 'a worker runs extensions',
  },
]

const nameWords: readonly Word[] = [
  { banned: /scheduler/i, sentence: 'the part that decides is called placement' },
  { banned: /tenant/i, sentence: 'the unit of access and of sharding is called a room' },
  { banned: /(?:utils?|helpers?)$/i, sentence: 'a drawer is no concept' },
]

// The nouns own these suffixes: elsewhere a class so called is a runner, a thread, a registry, …
const suffixWords: readonly (Word & { readonly home: RegExp })[] = [
  { banned: /Manager$/, home: /(?:^|\/)manager\//, sentence: 'a manager is a host agent' },
  { banned: /Worker$/, home: /(?:^|\/)(?:worker|placement)[/.-]/, sentence: 'a worker runs extensions' },
]

const declared = /\b(?:class|interface|type|function|const|let|var)\s+(?<name>[A-Za-z_$][\w$]*)/g
const declaredType = /\b(?:class|interface|type)\s+(?<name>[A-Z][\w$]*)/g

export const checkWords: Checker = eachFile(isTypeScript, ({ path, text }) => {
  const code = keeping(text, 'code')
  const homeless = suffixWords.filter((word) => !word.home.test(path))
  const inPath = fileWords
    .filter((word) => word.banned.test(path))
    .map((word) => `${path}: its name says ${word.banned.exec(path)?.[0]}, but ${word.sentence}`)
  const named = (pattern: RegExp, words: readonly Word[]): readonly string[] =>
    [...code.matchAll(pattern)].flatMap(({ groups, index }) => {
      const name = groups?.name ?? ''
      const word = words.find((candidate) => candidate.banned.test(name))
      return word ? [`${path}:${lineAt(code, index)} declares ${name}, but ${word.sentence}`] : []
    })
  return [...inPath, ...named(declared, nameWords), ...named(declaredType, homeless)]
})
