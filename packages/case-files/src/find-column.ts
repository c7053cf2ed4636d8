import { type Column, COLUMNS } from './file-columns.ts'

/** Finds the column of a heading. Other tools may write `Expected Result` for `expected_result`. */
export function findColumn(heading: string): Column | undefined {
  const name = heading
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  return COLUMNS.find((column) => column === name)
}
