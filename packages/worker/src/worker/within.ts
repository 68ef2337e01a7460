// Waits for something, but not for ever.

/** False when the time was over first. */
export async function within(ms: number, wanted: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const inTime = await Promise.race([wanted.then(() => true), over])
  clearTimeout(timer)
  return inTime
}
