// One number for each item of a list. Int32Array.from does the same through iterators, five times slower.

export function tabulate<Item>(
  list: readonly Item[],
  numberOf: (item: Item, index: number) => number,
): Int32Array {
  const numbers = new Int32Array(list.length)
  for (let index = 0; index < list.length; index++) numbers[index] = numberOf(list[index]!, index)
  return numbers
}
