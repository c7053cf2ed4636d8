/** Groups values by a key, in their order. `Map.groupBy` is missing in Node.js 20, which runs the tests. */
export function groupBy<K, V>(values: Iterable<V>, getKey: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>()
  for (const value of values) {
    const key = getKey(value)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}
