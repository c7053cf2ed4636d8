import { LINK_SOURCES } from '@caseward/contract/test-fields'
import type { RecordAction } from '@caseward/contract/import-kinds'
import type { TestRecord } from '@caseward/importers/records'
import { readTime } from '@caseward/importers/steps/read-time'
import { cutText } from '@caseward/matching/note'
import { getTitleKey } from '@caseward/matching/test-identity'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { toDigest } from '../../platform/database/text-digest.ts'
import { toPlaceDigest } from '../tests/write-tests.queries.ts'
import { selectCases } from './apply-results.queries.ts'
import { deriveKeyedId } from './derive-id.ts'
import type { HistoryContext } from './history-context.ts'
import type { PlannedRecord } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import type { ImportWork } from './import-work.ts'
import { planPages, toPlannedRecord } from './plan-pages.ts'
import { toKeyDigest } from './source-links.queries.ts'

/** An automated test as it is stored. */
export interface PlannedTest {
  id: string
  title_digest: string
  place_digest: string
  title_key: string
  suite: string
  name: string
  variant: string
  file: string
  module: string
  report_suite: string
  created_at: string
  retired_at: string | null
  cases: { key: string; digest: string; source: string }[]
}

/** What becomes of the tests of a file, by their keys. */
export type TestActions = ReadonlyMap<string, { id: string; action: RecordAction }>

/** As it was staged. Imports that an earlier version has read have only the key. */
type StagedTest = Pick<TestRecord, 'key'> & Partial<TestRecord>

type Context = Pick<HistoryContext, 'source' | 'isSelf' | 'importedAt'> & {
  /** Ids that several test cases of the file have. */
  duplicateKeys: readonly string[]
}

const PAGE = 2000
const MAX_TEXT = 2000
const MAX_CASES = 100

/** Plans automated tests: those that are here are found by their titles, file and variant. */
export async function planTests(db: Database, work: ImportWork, context: Context): Promise<TestActions> {
  const { claim } = work
  const actions = new Map<string, { id: string; action: RecordAction }>()
  const inFile = new Set<string>()
  await planPages<StagedTest>(db, work, { kind: 'test', limit: PAGE }, async (rows) => {
    const items = rows.map(({ seq, record }) => ({ seq, record, test: toPlanned(record, claim.projectId, context) }))
    const existing = await selectExisting(
      db,
      claim.projectId,
      items.map(({ test }) => test),
    )
    const cases = await selectPlannedCases(
      db,
      claim,
      items.map(({ test }) => test),
      context,
    )
    return items.map(({ seq, record, test }): PlannedRecord => {
      const identity = toIdentity(test)
      const found = existing.get(test.id) ?? existing.get(identity)
      const isPossible =
        record.name !== undefined && test.name !== '' && !actions.has(record.key) && !inFile.has(identity)
      inFile.add(identity)
      const action =
        found !== undefined ? 'unchanged' : !isPossible ? 'not_imported' : context.isSelf ? 'deleted_here' : 'create'
      const id = found ?? test.id
      if (!actions.has(record.key)) actions.set(record.key, { id, action })
      return toPlannedRecord(seq, action, {
        losses:
          action === 'not_imported'
            ? ['not_imported:test']
            : action === 'create'
              ? findLosses(record, test, cases)
              : [],
        planned: test,
        id: id,
      })
    })
  })
  return actions
}

/** What of the links of a test cannot be stored. */
function findLosses({ cases: sent = [] }: StagedTest, { cases }: PlannedTest, known: ReadonlySet<string>): string[] {
  return [
    ...(cases.length < sent.length ? ['not_imported:links_of_tests'] : []),
    ...(cases.every(({ digest }) => known.has(digest)) ? [] : ['test_without_case']),
  ]
}

export const toIdentity = ({
  title_digest: title,
  place_digest: place,
}: Pick<PlannedTest, 'title_digest' | 'place_digest'>) => `${title} ${place}`

function toPlanned(record: StagedTest, projectId: string, { source, isSelf, importedAt }: Context): PlannedTest {
  const text = (value = '') => cutText(value.toWellFormed().replaceAll('\u0000', ''), MAX_TEXT)
  const [suite, name, file] = [text(record.suite), text(record.name), text(record.file)]
  const [variant, module] = [text(record.variant), text(record.module)]
  const id = isSelf ? record.key : deriveKeyedId([projectId, source.system, source.source, 'test'], record.key)
  const retiredAt = readTime(record.retired_at ?? '')?.toISOString() ?? null
  const titleKey = text(record.title_key) || getTitleKey({ suite, name, file })
  return {
    id,
    // A test that is retired gives its titles free.
    title_digest: retiredAt === null ? toDigest(titleKey) : id,
    place_digest: toPlaceDigest({ suite, name, file, variant, module }),
    title_key: titleKey,
    suite,
    name,
    variant,
    file,
    module,
    report_suite: text(record.report_suite),
    created_at: (readTime(record.created_at ?? '') ?? importedAt).toISOString(),
    retired_at: retiredAt,
    cases: (record.cases ?? []).slice(0, MAX_CASES).flatMap(({ case: key, source: by }) => {
      const known = LINK_SOURCES.find((word) => word === by)
      return known === undefined ? [] : [{ key, digest: toKeyDigest(key), source: known }]
    }),
  }
}

/** Which test cases of these tests are here, or come with the file, by the digests of their keys. */
async function selectPlannedCases(
  db: Database,
  { projectId, id }: ClaimedImport,
  tests: readonly PlannedTest[],
  { source, duplicateKeys }: Context,
): Promise<ReadonlySet<string>> {
  const keys = [...new Set(tests.flatMap(({ cases }) => cases.map(({ key }) => key)))]
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`${plannedAnew}
    select key from import_records
    where project_id = ${projectId} and import_id = ${id} and kind = 'case' and key = any(${keys}::text[])
      and action not in ('refused', 'deleted_here', 'not_imported')`.execute(db)
  const duplicates = new Set(duplicateKeys)
  const linked = await selectCases(db, projectId, source, keys.map(toKeyDigest))
  return new Set([
    ...rows.filter(({ key }) => !duplicates.has(key)).map(({ key }) => toKeyDigest(key)),
    ...linked.keys(),
  ])
}

/** Selects the tests that are here, by their ids and by what identifies them. */
export async function selectExisting(
  db: Database,
  projectId: string,
  tests: readonly Pick<PlannedTest, 'id' | 'title_digest' | 'place_digest'>[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; title_digest: string; place_digest: string }>`
    select id, title_digest, place_digest from tests where project_id = ${projectId} and (
      id::text = any(${tests.map(({ id }) => id)}::text[])
      or title_digest::text = any(${tests.map(({ title_digest: digest }) => digest)}::text[])
    )`.execute(db)
  return new Map(rows.flatMap(({ id, ...row }) => [[id, id] as const, [toIdentity(row), id] as const]))
}
