import type { ImportRow } from '@caseward/contract/test-case-imports'
import type { FieldError } from '@caseward/contract/problem'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { selectExistingCases } from './automation-keys.queries.ts'
import { getRowPath } from './import-paths.ts'
import { parseTestCaseNumber } from './test-case-ids.ts'

/**
 * Finds what prevents rows of an import from being stored: unknown ids, ids that appear twice, and missing titles.
 * @param rows null for rows that are left out
 * @param fieldErrors what is wrong with single fields, such as automation keys in use
 * @returns the errors in the order of the rows
 */
export async function findImportErrors(
  db: Database,
  project: ProjectRef,
  rows: readonly (ImportRow | null)[],
  fieldErrors: readonly FieldError[],
): Promise<FieldError[]> {
  const numbers = rows.map((row) => (row?.id === undefined ? null : parseTestCaseNumber(row.id, project.prefix)))
  const existing = await selectExistingCases(
    db,
    project.id,
    numbers.filter((number) => number !== null),
  )
  const errorsByRow = new Map<number, FieldError[]>()
  for (const error of fieldErrors) {
    const index = Number(error.path.split('/')[2])
    errorsByRow.set(index, [...(errorsByRow.get(index) ?? []), error])
  }
  const earlierRows = new Map<number, number>()
  return rows.flatMap((row, index) => {
    if (row === null) return []
    const path = getRowPath(index)
    const others = errorsByRow.get(index) ?? []
    if (row.id === undefined) {
      return row.title === undefined
        ? [{ path: `${path}/title`, message: 'is required for a new test case' }, ...others]
        : others
    }
    const number = numbers[index] ?? null
    if (number === null || !existing.has(number)) {
      return [{ path: `${path}/id`, message: 'is not a test case of this project' }, ...others]
    }
    const earlierRow = earlierRows.get(number)
    if (earlierRow === undefined) earlierRows.set(number, index)
    return earlierRow === undefined
      ? others
      : [{ path: `${path}/id`, message: `is the same as in row ${earlierRow + 1} of the request` }, ...others]
  })
}
