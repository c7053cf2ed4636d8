import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { findSimilarToMany } from '../duplicates/find-similar-to-many.ts'
import type { ImportPlanning } from './import-summary.ts'
import type { WaitingCase } from './plan-case.ts'

/** So many new test cases of an import are compared with those of the project. */
const MAX_COMPARED = 10_000

interface SimilarPlanner {
  /** Marks those of a page that are created although there are similar ones. */
  mark(records: readonly { action: string; planned: WaitingCase }[]): Promise<void>
  readonly result: NonNullable<ImportPlanning['similar']>
}

/**
 * Marks the test cases that an import would create although there are similar ones. It creates them all the same: what is shown
 * before may keep somebody from importing them.
 */
export function createSimilarPlanner(db: Database, project: ProjectRef): SimilarPlanner {
  const result = { count: 0, not_compared: 0, is_complete: true }
  let comparedCount = 0
  return {
    result,
    async mark(records) {
      const created = records.filter(({ action }) => action === 'create').map(({ planned }) => planned)
      const compared = created.slice(0, MAX_COMPARED - comparedCount)
      const { found, isComplete } = await findSimilarToMany(db, project, compared)
      for (const [index, planned] of compared.entries()) {
        const similar = found[index] ?? []
        if (similar.length === 0) continue
        planned.similar_cases = similar
        result.count += 1
      }
      comparedCount += compared.length
      result.not_compared += created.length - compared.length
      result.is_complete &&= isComplete
    },
  }
}
