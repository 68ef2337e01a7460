// Lists of numbers or words as people type and paste them.

/** What is no number stays text, so that the check can say what is wrong with it. */
export function listOfText(text: string, type: unknown): readonly unknown[] {
  if (type === 'string') {
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  }
  return text
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
    .map((word) => (Number.isFinite(Number(word)) ? Number(word) : word))
}

export function textOfList(list: readonly unknown[]): string {
  const isText = list.some((each) => typeof each === 'string' && !/^\S*$/.test(each))
  return list.map(String).join(isText ? '\n' : ', ')
}
