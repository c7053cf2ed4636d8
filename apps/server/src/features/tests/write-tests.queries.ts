import type { ReportedTest } from '@caseward/matching/attempt'
import { createSuiteMemo, getTitles } from '@caseward/matching/test-identity'
import { sql } from 'kysely'

import { quoteElement, toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { planChecksAnew, plannedAnew } from '../../platform/database/plans.ts'
import type { LinkSource } from './known-tests.queries.ts'
import { toDigest } from '../../platform/database/text-digest.ts'

type StoredTest = Pick<ReportedTest, 'suite' | 'name' | 'variant' | 'file' | 'module' | 'reportSuite'>

/** The digest of what tells tests of the same normalized titles apart. */
export const toPlaceDigest = (test: Omit<StoredTest, 'reportSuite'>, readSuite = createSuiteMemo()): string =>
  toDigest([test.file, test.variant, test.module ?? '', getTitles(test, readSuite)].join('\0'))

/** A test to store. */
export interface NewTest {
  id: string
  titleKey: string
  test: StoredTest
  foreignIds: readonly string[]
}

/** Stores new tests. The caller holds the lock on the project, under which no other request adds tests. */
export async function insertTests(tx: Database, projectId: string, tests: readonly NewTest[]): Promise<void> {
  for (let start = 0; start < tests.length; start += ROWS_PER_STATEMENT) {
    await insertBatch(tx, projectId, tests.slice(start, start + ROWS_PER_STATEMENT))
  }
}

/** As many as can be encoded without holding up other requests. */
const ROWS_PER_STATEMENT = 2000

async function insertBatch(tx: Database, projectId: string, tests: readonly NewTest[]): Promise<void> {
  const column = (get: (test: NewTest) => string) => toArrayLiteral(tests.map(get))
  const readSuite = createSuiteMemo()
  await sql`${plannedAnew}
    insert into tests (
      project_id, id, title_digest, place_digest, title_key, suite, name, variant, file, module, report_suite, foreign_ids
    )
    select ${projectId}, id, title_digest, place_digest, title_key, suite, name, variant, file, module, report_suite,
      foreign_ids::text[]
    from unnest(
      ${column(({ id }) => id)}::uuid[], ${column(({ titleKey }) => toDigest(titleKey))}::uuid[],
      ${column(({ test }) => toPlaceDigest(test, readSuite))}::uuid[], ${column(({ titleKey }) => titleKey)}::text[],
      ${column(({ test }) => test.suite)}::text[], ${column(({ test }) => test.name)}::text[],
      ${column(({ test }) => test.variant)}::text[], ${column(({ test }) => test.file)}::text[],
      ${column(({ test }) => test.module ?? '')}::text[], ${column(({ test }) => test.reportSuite ?? '')}::text[],
      ${toForeignIds(tests)}::text[]
    ) input (id, title_digest, place_digest, title_key, suite, name, variant, file, module, report_suite, foreign_ids)`.execute(
    tx,
  )
}

/** Lists of ids as elements of an array; null for none. */
const toForeignIds = (tests: readonly { foreignIds: readonly string[] }[]): string =>
  `{${tests.map(({ foreignIds: ids }) => (ids.length === 0 ? 'null' : quoteElement(toArrayLiteral(ids)))).join(',')}}`

/** A known test of which an upload says more than was stored, or something else. */
export interface ChangedTest {
  id: string
  titleKey: string
  /** How it is stored from now on. */
  test: StoredTest
  foreignIds: readonly string[]
  /** Whether its titles have changed, too. Otherwise they stay as they were first written. */
  isRenamed: boolean
}

/**
 * Stores files, variants, modules, titles and ids that have become known. Leaves tests alone that would equal another one.
 */
export async function updateTests(tx: Database, projectId: string, tests: readonly ChangedTest[]): Promise<void> {
  if (tests.length === 0) return
  const column = (get: (test: ChangedTest) => string) => toArrayLiteral(tests.map(get))
  // Citus refuses the conversion of a text within coalesce.
  await sql`${plannedAnew}
    with input as materialized (
      select *, foreign_id_text::text[] as foreign_ids
      from unnest(
        ${column(({ id }) => id)}::uuid[], ${column(({ titleKey }) => toDigest(titleKey))}::uuid[],
        ${column(({ test }) => toPlaceDigest(test))}::uuid[], ${column(({ titleKey }) => titleKey)}::text[],
        ${column(({ test }) => test.suite)}::text[], ${column(({ test }) => test.name)}::text[],
        ${column(({ test }) => test.variant)}::text[], ${column(({ test }) => test.file)}::text[],
        ${column(({ test }) => test.module ?? '')}::text[], ${toForeignIds(tests)}::text[],
        ${`{${tests.map(({ isRenamed }) => isRenamed).join(',')}}`}::boolean[]
      ) sent (
        id, title_digest, place_digest, title_key, suite, name, variant, file, module, foreign_id_text, is_renamed
      )
    )
    update tests t set
      file = input.file, variant = input.variant, module = input.module, place_digest = input.place_digest,
      title_digest = input.title_digest, title_key = input.title_key,
      suite = case when input.is_renamed then input.suite else t.suite end,
      name = case when input.is_renamed then input.name else t.name end,
      foreign_ids = coalesce(input.foreign_ids, t.foreign_ids)
    from input
    where t.project_id = ${projectId} and t.id = input.id and not exists (
      select from tests o
      where o.project_id = t.project_id and o.title_digest = input.title_digest
        and o.place_digest = input.place_digest and o.id <> t.id
    )`.execute(tx)
}

/** The links of a test; none to remove them. */
export interface TestLinks {
  testId: string
  caseNumbers: readonly number[]
  source: LinkSource
}

/** Replaces the links of tests. Test cases that are gone are left out. The caller holds the lock on the project. */
export async function replaceLinks(
  tx: Database,
  projectId: string,
  links: readonly TestLinks[],
  { areNew }: { areNew: boolean },
): Promise<void> {
  await planChecksAnew(tx, links.length)
  for (let start = 0; start < links.length; start += ROWS_PER_STATEMENT) {
    await replaceBatch(tx, projectId, links.slice(start, start + ROWS_PER_STATEMENT), areNew)
  }
}

async function replaceBatch(
  tx: Database,
  projectId: string,
  links: readonly TestLinks[],
  areNew: boolean,
): Promise<void> {
  if (!areNew) {
    await sql`${plannedAnew}
      delete from test_links
      where project_id = ${projectId} and test_id = any(${toArrayLiteral(links.map(({ testId }) => testId))}::uuid[])`.execute(
      tx,
    )
  }
  const pairs = links.flatMap(({ testId, caseNumbers, source }) =>
    caseNumbers.map((caseNumber) => ({ testId, caseNumber, source })),
  )
  if (pairs.length === 0) return
  await sql`${plannedAnew}
    insert into test_links (project_id, test_id, case_number, source)
    select ${projectId}, input.test_id, input.case_number, input.source
    from unnest(
      ${toArrayLiteral(pairs.map(({ testId }) => testId))}::uuid[],
      ${`{${pairs.map(({ caseNumber }) => caseNumber).join(',')}}`}::int[],
      ${toArrayLiteral(pairs.map(({ source }) => source))}::link_source[]
    ) input (test_id, case_number, source)
    join test_cases c on c.project_id = ${projectId} and c.number = input.case_number`.execute(tx)
}
