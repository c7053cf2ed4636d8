/** A value, or several in a list. Saves a list for each of hundreds of thousands of groups of one. */
export type OneOrMore<T extends object> = T | T[]

/** Adds a value to the group of a key. */
export function addToGroup<K, T extends object>(groups: Map<K, OneOrMore<T>>, key: K, value: T): void {
  const earlier = groups.get(key)
  if (earlier === undefined) groups.set(key, value)
  else if (Array.isArray(earlier)) earlier.push(value)
  else groups.set(key, [earlier, value])
}

/** Returns the values of a group as a list. */
export const toList = <T extends object>(group: OneOrMore<T>): readonly T[] => (Array.isArray(group) ? group : [group])
