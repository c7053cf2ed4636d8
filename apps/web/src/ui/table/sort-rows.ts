import type { Sort } from './columns.ts'

/** What a row is sorted by; null comes last in both directions. */
export type SortValue = string | number | null

/** Texts as people sort them: `WEB-9` before `WEB-10`. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Sorts rows by a column. Equal ones keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  direction: Sort['direction'],
  getValue: (row: Row) => SortValue,
): readonly Row[] {
  const sign = direction === 'ascending' ? 1 : -1
  return rows
    .map((row) => ({ row, value: getValue(row) }))
    .toSorted((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
      return sign * compare(a.value, b.value)
    })
    .map(({ row }) => row)
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return collator.compare(String(a), String(b))
}
