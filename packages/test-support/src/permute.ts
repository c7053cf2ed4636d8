/** Yields the items in every order. */
export function* permute<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield []
  for (const [index, item] of items.entries()) {
    for (const rest of permute(items.filter((_, other) => other !== index))) yield [item, ...rest]
  }
}
