import {
  chooseAutomationKeys,
  type CoveredTest,
  getCaseIdentity,
  getCaseKey,
  splitIntoTitles,
} from '@caseward/matching/cases-for-tests'
import { normalizeKey } from '@caseward/matching/normalize-key'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { ensureFolders } from '../folders/ensure-folders.ts'
import { selectCaseNumbersByKey } from '../test-cases/automation-keys.queries.ts'
import { createTestCases } from '../test-cases/create-test-cases.ts'
import { getBodyPath } from '../test-cases/test-case-references.ts'

export interface CreatedCases {
  /** The number of the test case of each test, in their order. */
  caseNumbers: number[]
  /** The test cases that were created. */
  created: { number: number; title: string }[]
}

/**
 * Creates test cases for tests: the title is the last part of the name, the folders are the suite and the other titles, and
 * the automation key is suite and name. Tests that differ only in their variant or module share a test case. The caller
 * holds the lock on the project.
 * @throws {Problem} 400 when `folderId` is not a folder of the project
 */
export async function createCasesForTests(
  tx: Database,
  project: ProjectRef,
  tests: readonly CoveredTest[],
  { folderId, authorId }: { folderId: string | null; authorId: string | null },
): Promise<CreatedCases> {
  if (tests.length === 0) return { caseNumbers: [], created: [] }
  const distinct = new Map<string, CoveredTest>()
  for (const test of tests) if (!distinct.has(getCaseIdentity(test))) distinct.set(getCaseIdentity(test), test)
  const covered = [...distinct.values()]
  const parts = covered.map(splitIntoTitles)
  const folderIds = await ensureFolders(
    tx,
    project.id,
    folderId,
    parts.map(({ path }) => path),
  )
  const keys = await chooseKeys(tx, project, covered)
  const numbers = await createTestCases(
    tx,
    project,
    authorId,
    parts.map(({ title, precondition }, index) => ({
      title,
      ...(precondition === undefined ? {} : { precondition }),
      folder_id: folderIds[index] ?? null,
      type: 'other' as const,
      automation_keys: keys[index] ?? [],
    })),
    getBodyPath,
    { isAutomatic: true },
  )
  const numbersByPlace = new Map([...distinct.keys()].map((place, index) => [place, numbers[index] ?? 0]))
  return {
    caseNumbers: tests.map((test) => numbersByPlace.get(getCaseIdentity(test)) ?? 0),
    created: parts.map(({ title }, index) => ({ number: numbers[index] ?? 0, title })),
  }
}

/** Keys that no test case has, and that only one of the tests would have. */
async function chooseKeys(tx: Database, project: ProjectRef, tests: readonly CoveredTest[]): Promise<string[][]> {
  const keys = tests.map(getCaseKey)
  const taken = await selectCaseNumbersByKey(tx, project.id, [...new Set(keys)])
  return chooseAutomationKeys(tests, new Set([...taken.keys()].map(normalizeKey)))
}
