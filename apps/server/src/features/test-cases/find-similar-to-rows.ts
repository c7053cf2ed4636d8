import type { ImportResult, ImportRow } from '@caseward/contract/test-case-imports'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { findSimilarToMany } from '../duplicates/find-similar-to-many.ts'

/** Adds to the result of a dry run which test cases exist that are like those that rows would create. */
export async function addSimilar(
  db: Database,
  project: ProjectRef,
  rows: readonly ImportRow[],
  result: ImportResult,
): Promise<ImportResult> {
  const wanted = rows.flatMap(({ id, title = '', steps = [] }, index) =>
    id === undefined
      ? [{ index, title, steps: steps.map(({ action = '', expected = '' }) => ({ action, expected })) }]
      : [],
  )
  const { found, isComplete } = await findSimilarToMany(db, project, wanted)
  const byRow = new Map(wanted.map(({ index }, place) => [index, found[place] ?? []]))
  const presented = result.rows.map((row, index) => {
    const similar = byRow.get(index) ?? []
    return similar.length === 0 ? row : { ...row, similar }
  })
  const count = presented.filter((row) => 'similar' in row).length
  return { ...result, rows: presented, similar: { count, is_complete: isComplete } }
}
