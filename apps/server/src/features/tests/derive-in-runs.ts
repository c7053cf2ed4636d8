import type { RunRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createResultChanges, type ResultChanges } from '../events/result-changes.ts'
import { addCasesToLockedRun } from '../runs/add-test-cases.ts'
import { addStoredOutcomes, writeDerivedResults } from './derive-results.ts'
import { selectLinkedOutcomes } from './outcomes.queries.ts'

/** A run whose results are derived again. */
export interface OpenRun extends RunRef {
  /** Whether test cases that are missing in it are added. */
  addsTestCases: boolean
  hasCombinations: boolean
  resultCount: number
}

/**
 * Derives the results of test cases again in runs that contain outcomes of their tests, after links have changed. The
 * caller holds the lock on the project, and locks the runs with this in the order in which they are given.
 * @returns the changes to announce after the commit
 */
export async function deriveInRuns(
  tx: Database,
  runs: readonly OpenRun[],
  caseNumbers: readonly number[],
): Promise<ResultChanges[]> {
  const allChanges: ResultChanges[] = []
  for (const run of runs) {
    const testsByCase = addStoredOutcomes([], await selectLinkedOutcomes(tx, run, caseNumbers))
    if (testsByCase.length === 0) continue
    const numbers = testsByCase.map(([caseNumber]) => caseNumber)
    if (run.addsTestCases) await addCasesToLockedRun(tx, run, numbers, run)
    const changes = { ...createResultChanges(run), hasCombinations: run.hasCombinations, resultCount: run.resultCount }
    await writeDerivedResults(tx, run, testsByCase, { keepsNewer: true, dryRun: false, changes })
    allChanges.push(changes)
  }
  return allChanges
}

export function announceAll({ announcer }: Pick<Deps, 'announcer'>, changes: readonly ResultChanges[]): void {
  for (const ofRun of changes) announcer.add(ofRun)
}
