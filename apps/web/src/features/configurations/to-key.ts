/** A key that is made of a name. */
export function toKey(name: string): string {
  const key = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '')
  return (key === '' ? 'c' : key).slice(0, 40)
}

/** A key that no other one is equal to. */
export function toFreeKey(name: string, used: readonly string[]): string {
  const key = toKey(name)
  let free = key
  for (let number = 2; used.includes(free); number += 1) free = `${key.slice(0, 36)}_${number}`
  return free
}
