// Hands out the data of many no-op jobs in batches, several under way at once.

export async function inBatches(
  count: number,
  batch: number,
  inFlight: number,
  send: (data: readonly { readonly n: number }[]) => Promise<void>,
): Promise<void> {
  let sent = 0
  const lane = async (): Promise<void> => {
    while (sent < count) {
      const first = sent
      const size = Math.min(batch, count - first)
      sent += size
      await send(Array.from({ length: size }, (_, index) => ({ n: first + index })))
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
}
