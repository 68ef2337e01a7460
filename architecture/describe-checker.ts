// One shape for every checker of the house: it passes on the tree as it is, it fails when it is given nothing to look
// at, and each of its rules catches a violation planted for it. A checker that sees nothing would pass for ever.

import { describe, expect, it } from 'vitest'
import { houseFiles, type SourceFile } from './source-file.ts'

/** Answers with one sentence for each problem, each naming its file. */
export type Checker = (files: readonly SourceFile[]) => readonly string[]

export interface Plant {
  readonly what: string
  readonly files: readonly SourceFile[]
  /** What the sentence about it must contain. */
  readonly finds: string
}

/** `title` is a sentence that begins with its rule. */
export function describeChecker(title: string, check: Checker, plants: readonly Plant[]): void {
  describe(title, () => {
    it(`${title}: the tree as it is`, () => {
      expect(check(houseFiles())).toEqual([])
    })

    it(`${title}: fails on zero files`, () => {
      expect(check([])).toHaveLength(1)
    })

    it.each(plants)(`${title}: catches $what`, ({ files, finds }) => {
      const problems = check(files)
      expect(problems.filter((problem) => problem.includes(finds))).not.toEqual([])
      expect(problems.every((problem) => files.some((file) => problem.includes(file.path)))).toBe(true)
    })
  })
}

/** Applies a check file by file, to those it is about, and insists that there are some. */
export function eachFile(
  isAbout: (path: string) => boolean,
  problemsOf: (file: SourceFile) => readonly string[],
): Checker {
  return (files) => {
    const seen = files.filter((file) => isAbout(file.path))
    return seen.length === 0 ? ['no file was given that this check is about'] : seen.flatMap(problemsOf)
  }
}
