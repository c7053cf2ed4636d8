import type { ReportedTest } from '@caseward/matching/attempt'
import { sql } from 'kysely'

import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { planChecksAnew, plannedAnew } from '../../platform/database/plans.ts'
import type { LinkSource } from './known-tests.queries.ts'
import { toDigest } from '../../platform/database/text-digest.ts'

/** The digest of what tells tests of the same titles apart. */
const toPlaceDigest = ({ file, variant }: { file: string; variant: string }): string => toDigest(`${file}\0${variant}`)

/** A test to store. */
export interface NewTest {
  id: string
  titleKey: string
  test: Pick<ReportedTest, 'suite' | 'name' | 'variant' | 'file'>
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
  await sql`${plannedAnew}
    insert into tests (project_id, id, title_digest, place_digest, title_key, suite, name, variant, file)
    select ${projectId}, input.*
    from unnest(
      ${column(({ id }) => id)}::uuid[], ${column(({ titleKey }) => toDigest(titleKey))}::uuid[],
      ${column(({ test }) => toPlaceDigest(test))}::uuid[], ${column(({ titleKey }) => titleKey)}::text[],
      ${column(({ test }) => test.suite)}::text[], ${column(({ test }) => test.name)}::text[],
      ${column(({ test }) => test.variant)}::text[], ${column(({ test }) => test.file)}::text[]
    ) input`.execute(tx)
}

/** Gives tests new titles. The caller holds the lock on the project, and has found no test with these titles. */
export async function renameTests(tx: Database, projectId: string, tests: readonly NewTest[]): Promise<void> {
  if (tests.length === 0) return
  const column = (get: (test: NewTest) => string) => toArrayLiteral(tests.map(get))
  await sql`${plannedAnew}
    update tests t set title_digest = input.title_digest, title_key = input.title_key, suite = input.suite,
      name = input.name
    from unnest(
      ${column(({ id }) => id)}::uuid[], ${column(({ titleKey }) => toDigest(titleKey))}::uuid[],
      ${column(({ titleKey }) => titleKey)}::text[], ${column(({ test }) => test.suite)}::text[],
      ${column(({ test }) => test.name)}::text[]
    ) input (id, title_digest, title_key, suite, name)
    where t.project_id = ${projectId} and t.id = input.id`.execute(tx)
}

/** A test whose file or variant was unknown before. */
export interface PlacedTest {
  id: string
  file: string
  variant: string
}

/** Stores files and variants that have become known. Leaves those alone that would equal another test. */
export async function updatePlaces(tx: Database, projectId: string, tests: readonly PlacedTest[]): Promise<void> {
  if (tests.length === 0) return
  const column = (get: (test: PlacedTest) => string) => toArrayLiteral(tests.map(get))
  await sql`${plannedAnew}
    update tests t set file = input.file, variant = input.variant, place_digest = input.place_digest
    from unnest(
      ${column(({ id }) => id)}::uuid[], ${column(({ file }) => file)}::text[],
      ${column(({ variant }) => variant)}::text[], ${column(toPlaceDigest)}::uuid[]
    ) input (id, file, variant, place_digest)
    where t.project_id = ${projectId} and t.id = input.id and not exists (
      select from tests o
      where o.project_id = t.project_id and o.title_digest = t.title_digest and o.place_digest = input.place_digest
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
