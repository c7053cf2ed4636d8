/*
 * Which values of several groups are tested together. Used by the server and by the web app, which shows the number first.
 */

/** One value of each group. */
export type Chosen<T> = readonly T[]

/** The number of combinations of every value with every other. */
export const countAllCombinations = (groups: readonly (readonly unknown[])[]): number =>
  groups.length === 0 ? 0 : groups.reduce((product, values) => product * values.length, 1)

/** Every value of each group with every value of the others, the last group changing first. */
export function combineAll<T>(groups: readonly (readonly T[])[]): Chosen<T>[] {
  if (groups.length === 0) return []
  return groups.reduce<Chosen<T>[]>(
    (rows, values) => rows.flatMap((row) => values.map((value) => [...row, value])),
    [[]],
  )
}

/** The fewest combinations that contain every pair of two groups: the product of the two largest groups. */
export function countLeastPairs(groups: readonly (readonly unknown[])[]): number {
  const [first = 0, second = 1] = groups.map((values) => values.length).sort((a, b) => b - a)
  return first * second
}

/**
 * Returns combinations in which every value of a group stands at least once with every value of every other group. They are
 * few, but not always the fewest. The same groups always give the same combinations.
 *
 * In parameter order: the two largest groups in full, then one group after the other. It first extends the combinations that
 * there are with the value that covers the most new pairs, and then adds combinations for the pairs that are left.
 * @param groups at least one value in each
 */
export function combinePairs<T>(groups: readonly (readonly T[])[]): Chosen<T>[] {
  if (groups.length <= 2) return combineAll(groups)
  // Indexes of the groups, the largest first; equal ones in their order.
  const order = groups
    .map((values, index) => ({ index, size: values.length }))
    .sort((a, b) => b.size - a.size || a.index - b.index)
  const sizes = order.map(({ size }) => size)
  const rows = combineAll<number | null>(sizes.slice(0, 2).map((size) => range(size))).map((row) => [...row])
  for (let column = 2; column < sizes.length; column += 1) addColumn(rows, sizes, column)
  const places = new Map(order.map(({ index }, column) => [index, column]))
  // In the order of the groups as they were given.
  return rows
    .map((row) => groups.map((_, index) => row[places.get(index) ?? 0] ?? 0))
    .sort(compareRows)
    .map((row) => row.map((value, index) => groups[index]?.[value] as T))
}

const range = (size: number): number[] => Array.from({ length: size }, (_, index) => index)

/** Null where any value fits. */
function addColumn(rows: (number | null)[][], sizes: readonly number[], column: number): void {
  const size = sizes[column] ?? 0
  // Pairs of a value of an earlier column with one of this column that no row has.
  const open = new Set<string>()
  for (let earlier = 0; earlier < column; earlier += 1) {
    for (const value of range(sizes[earlier] ?? 0)) {
      for (const added of range(size)) open.add(toKey(earlier, value, added))
    }
  }
  const listNew = (row: readonly (number | null)[], added: number): string[] =>
    row.slice(0, column).flatMap((value, earlier) => {
      const key = value === null ? null : toKey(earlier, value, added)
      return key !== null && open.has(key) ? [key] : []
    })
  for (const row of rows) {
    const counts = range(size).map((added) => listNew(row, added).length)
    const most = Math.max(...counts)
    row[column] = most === 0 ? null : counts.indexOf(most)
    if (most > 0) for (const key of listNew(row, counts.indexOf(most))) open.delete(key)
  }
  // Those that another one covers are deleted before they are reached.
  for (const key of open) {
    const [earlier = 0, value = 0, added = 0] = key.split(' ').map(Number)
    const fits = (cell: number | null | undefined, wanted: number) =>
      cell === null || cell === undefined || cell === wanted
    let row = rows.find((candidate) => fits(candidate[earlier], value) && fits(candidate[column], added))
    if (row === undefined) {
      row = Array.from({ length: column + 1 }, () => null)
      rows.push(row)
    }
    row[earlier] = value
    row[column] = added
    for (const covered of listNew(row, added)) open.delete(covered)
  }
}

const toKey = (column: number, value: number, added: number): string => `${column} ${value} ${added}`

function compareRows(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
