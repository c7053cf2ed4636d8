import type { ResultItemError } from '@caseward/contract/results'

import type { Database } from '../../platform/database/connect.ts'
import { createYielder } from '../../platform/yielder.ts'
import { selectAliasesByLookup } from '../case-aliases/case-aliases.queries.ts'
import {
  hasAutomationKeys,
  selectCaseNumbersByKey,
  selectExistingCases,
} from '../test-cases/automation-keys.queries.ts'
import {
  type KnownTest,
  selectKnownTests,
  selectLinkedTests,
  selectTestNames,
  type TestNames,
} from '../tests/known-tests.queries.ts'
import { identifyTests } from './identify-tests.ts'
import { matchTests } from './match-tests.ts'
import { separateVariants } from './separate-variants.ts'
import type { Upload } from './tests-upload.ts'
import type { UploadTest } from './upload-test.ts'

/** What was read to find out which known tests the tests of an upload are. */
export interface Identification {
  known: readonly KnownTest[]
  /** How some of them are written. */
  names: readonly TestNames[]
}

/** Finds the tests of the project that the tests of an upload are. */
export async function identifyUpload(
  db: Database,
  { run, tests, source }: Pick<Upload, 'run' | 'tests' | 'source'>,
): Promise<Identification> {
  const { project } = run
  const keys =
    tests.formerKeys.size === 0 ? tests.byTitle.keys() : new Set([...tests.byTitle.keys(), ...tests.formerKeys])
  const known = await selectKnownTests(db, project.id, keys)
  const names = new Map<string, TestNames>()
  const selectNames = async (ids: readonly string[]) => {
    const selected = await selectTestNames(db, project.id, ids)
    for (const test of selected) names.set(test.id, test)
    return selected
  }
  await identifyTests(tests, known, selectNames, createYielder())
  await separateVariants(db, run, tests.all, source)
  return { known, names: [...names.values()] }
}

/** Finds the test cases that the tests of an upload belong to. Returns the errors. */
export async function matchUpload(
  db: Database,
  { run: { project }, tests, createsTestCases, aliases }: Upload,
): Promise<ResultItemError[]> {
  const lookups = {
    hasAutomationKeys: () => hasAutomationKeys(db, project.id),
    findCaseNumbersByKey: (keys: readonly string[]) => selectCaseNumbersByKey(db, project.id, keys),
    findExistingCases: (numbers: readonly number[]) => selectExistingCases(db, project.id, numbers),
    aliasSources: aliases.sources,
    findAliases: (keys: readonly string[]) => selectAliasesByLookup(db, project.id, keys),
    findLinkedTests: (numbers: readonly number[]) => selectLinkedTests(db, project.id, numbers),
  }
  const errors = await matchTests(project.prefix, tests.all, lookups, createYielder(), {
    createsTestCases,
    aliasesFirst: aliases.areFirst,
  })
  await readForeignIds(db, project.id, tests.all)
  return errors
}

/** Reads which ids of other tools are stored, for the tests that have some. */
async function readForeignIds(db: Database, projectId: string, tests: readonly UploadTest[]): Promise<void> {
  const withIds = tests.filter(({ known, foreignIds }) => known !== null && foreignIds.length > 0)
  if (withIds.length === 0) return
  const stored = await selectTestNames(
    db,
    projectId,
    withIds.flatMap(({ known }) => known?.id ?? []),
  )
  const idsByTest = new Map(stored.map(({ id, foreign_ids: ids }) => [id, ids ?? []]))
  // A known test can be that of several uploads.
  for (const test of withIds) {
    if (test.known !== null) test.known = { ...test.known, foreignIds: idsByTest.get(test.known.id) }
  }
}
