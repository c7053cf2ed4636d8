import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { toDigest } from '../../platform/database/text-digest.ts'
import { createYielder } from '../../platform/yielder.ts'
import { FIRST_SOURCE } from './outcome-write.ts'

export type LinkSource = 'id' | 'key' | 'hand' | 'alias'

/** A test that the project knows, with its links. */
export interface KnownTest {
  id: string
  titleKey: string
  titleDigest: string
  file: string
  variant: string
  /** '' if unknown. */
  module: string
  /** As written, and the suite of the report; only read where several tests have the same key. */
  titles?: string | undefined
  reportSuite?: string | undefined
  /** Only read if the upload has ids of other tools. */
  foreignIds?: readonly string[] | undefined
  /** Numbers of the test cases that it is linked to, in any order. */
  caseNumbers: readonly number[]
  source: LinkSource | null
}

/** Selects all tests of a project with one of these normalized titles. */
export async function selectKnownTests(
  db: Database,
  projectId: string,
  titleKeys: Iterable<string>,
): Promise<KnownTest[]> {
  const titleKeyByDigest = new Map<string, string>()
  const yielder = createYielder()
  for (const titleKey of titleKeys) {
    if (yielder.shouldYield()) await yielder.yield()
    titleKeyByDigest.set(toDigest(titleKey), titleKey)
  }
  const digests = [...titleKeyByDigest.keys()]
  const known = new Map<string, KnownTest>()
  for (let start = 0; start < digests.length; start += TITLES_PER_STATEMENT) {
    const batch = digests.slice(start, start + TITLES_PER_STATEMENT)
    const tests = await selectTests(db, projectId, batch)
    for (const { id, title_digest: titleDigest, file, variant, module } of tests) {
      if (yielder.shouldYield()) await yielder.yield()
      const titleKey = titleKeyByDigest.get(titleDigest) ?? ''
      known.set(id, { id, titleKey, titleDigest, file, variant, module, caseNumbers: [], source: null })
    }
    for (const { test_id, case_number, source } of await selectLinks(db, projectId, tests)) {
      if (yielder.shouldYield()) await yielder.yield()
      const test = known.get(test_id)
      if (test === undefined) continue
      test.caseNumbers = [...test.caseNumbers, case_number]
      test.source = source
    }
  }
  return [...known.values()]
}

/** As many as can be read without holding up other requests. */
const TITLES_PER_STATEMENT = 5000

interface TestRow {
  id: string
  title_digest: string
  file: string
  variant: string
  module: string
}

async function selectTests(db: Database, projectId: string, digests: readonly string[]): Promise<TestRow[]> {
  const { rows } = await sql<TestRow>`${plannedAnew}
    select id, title_digest, file, variant, module from tests
    where project_id = ${projectId} and title_digest = any(${`{${digests.join(',')}}`}::uuid[])`.execute(db)
  return rows
}

interface LinkRow {
  test_id: string
  case_number: number
  source: LinkSource
}

/** In a join with the tests, a node of Citus reads all links of a project that is new to its statistics for each test. */
async function selectLinks(db: Database, projectId: string, tests: readonly TestRow[]): Promise<LinkRow[]> {
  if (tests.length === 0) return []
  const { rows } = await sql<LinkRow>`${plannedAnew}
    select test_id, case_number, source from test_links
    where project_id = ${projectId} and test_id = any(${`{${tests.map(({ id }) => id).join(',')}}`}::uuid[])`.execute(
    db,
  )
  return rows
}

/** Selects the tests that are linked to one of these test cases because they name its id, with all of their links. */
export async function selectTestsNamingCases(
  db: Database,
  projectId: string,
  caseNumbers: readonly number[],
): Promise<Omit<KnownTest, 'titleKey' | 'source'>[]> {
  const { rows } = await sql<{ test_id: string }>`${plannedAnew}
    select distinct test_id from test_links
    where project_id = ${projectId} and case_number = any(${`{${caseNumbers.join(',')}}`}::int[]) and source = 'id'`.execute(
    db,
  )
  if (rows.length === 0) return []
  const ids = `{${rows.map(({ test_id: id }) => id).join(',')}}`
  const { rows: tests } = await sql<TestRow>`${plannedAnew}
    select id, title_digest, file, variant, module from tests
    where project_id = ${projectId} and id = any(${ids}::uuid[]) and retired_at is null`.execute(db)
  const numbersByTest = new Map<string, number[]>()
  for (const { test_id: id, case_number: number } of await selectLinks(db, projectId, tests)) {
    numbersByTest.set(id, [...(numbersByTest.get(id) ?? []), number])
  }
  return tests.map(({ id, title_digest: titleDigest, file, variant, module }) => ({
    id,
    titleDigest,
    file,
    variant,
    module,
    caseNumbers: numbersByTest.get(id) ?? [],
  }))
}

/** Returns those of the tests that other sources of the run have reported. */
export async function selectTestsOfOtherSources(
  db: Database,
  run: RunRef,
  testIds: readonly string[],
  source: number,
): Promise<Set<string>> {
  const { rows } = await sql<{ test_id: string }>`
    select test_id from test_outcomes
    where project_id = ${run.project.id} and run_id = ${run.id} and test_id = any(${`{${testIds.join(',')}}`}::uuid[])
      and coalesce(source, ${sql.lit(FIRST_SOURCE)}) <> ${source}
    union
    select test_id from outcome_parts
    where project_id = ${run.project.id} and run_id = ${run.id} and test_id = any(${`{${testIds.join(',')}}`}::uuid[])
      and source <> ${source}`.execute(db)
  return new Set(rows.map(({ test_id: id }) => id))
}

/** Returns those of the tests that the run has an outcome of that is newer than a time. */
export async function selectTestsTestedAfter(
  db: Database,
  run: RunRef,
  testIds: readonly string[],
  time: Date,
): Promise<Set<string>> {
  const { rows } = await sql<{ test_id: string }>`
    select test_id from test_outcomes
    where project_id = ${run.project.id} and run_id = ${run.id} and test_id = any(${`{${testIds.join(',')}}`}::uuid[])
      and tested_at > ${time}`.execute(db)
  return new Set(rows.map(({ test_id: id }) => id))
}

/** Returns those of the tests that these sources of the run have reported. */
export async function selectTestsOfSources(
  db: Database,
  run: RunRef,
  testIds: readonly string[],
  sources: readonly number[],
): Promise<Set<string>> {
  const ofSources = sql`any(${`{${sources.join(',')}}`}::int[])`
  const ofTests = sql`
    project_id = ${run.project.id} and run_id = ${run.id} and test_id = any(${`{${testIds.join(',')}}`}::uuid[])`
  const { rows } = await sql<{ test_id: string }>`${plannedAnew}
    select test_id from test_outcomes where ${ofTests} and coalesce(source, ${sql.lit(FIRST_SOURCE)}) = ${ofSources}
    union
    select test_id from outcome_parts where ${ofTests} and source = ${ofSources}`.execute(db)
  return new Set(rows.map(({ test_id: id }) => id))
}

/** What tells tests with the same normalized titles apart. */
export interface TestNames {
  id: string
  suite: string
  name: string
  file: string
  report_suite: string
  foreign_ids: string[] | null
}

/** Selects how tests are written: most uploads do not need it. */
export async function selectTestNames(db: Database, projectId: string, ids: readonly string[]): Promise<TestNames[]> {
  const names: TestNames[] = []
  for (let start = 0; start < ids.length; start += TITLES_PER_STATEMENT) {
    const { rows } = await sql<TestNames>`${plannedAnew}
      select id, suite, name, file, report_suite, foreign_ids from tests
      where project_id = ${projectId}
        and id = any(${`{${ids.slice(start, start + TITLES_PER_STATEMENT).join(',')}}`}::uuid[])`.execute(db)
    names.push(...rows)
  }
  return names
}

/** A test that is linked to a test case. */
export interface LinkedTest {
  case_number: number
  test_id: string
  title_key: string
  file: string
  module: string
  source: LinkSource
}

/** Selects the tests that are linked to test cases. */
export async function selectLinkedTests(
  db: Database,
  projectId: string,
  caseNumbers: readonly number[],
): Promise<LinkedTest[]> {
  if (caseNumbers.length === 0) return []
  const { rows: links } = await sql<Pick<LinkedTest, 'case_number' | 'test_id' | 'source'>>`${plannedAnew}
    select case_number, test_id, source from test_links
    where project_id = ${projectId} and case_number = any(${`{${caseNumbers.join(',')}}`}::int[])`.execute(db)
  if (links.length === 0) return []
  const { rows: tests } = await sql<{ id: string; title_key: string; file: string; module: string }>`${plannedAnew}
    select id, title_key, file, module from tests
    where project_id = ${projectId} and id = any(${`{${links.map(({ test_id }) => test_id).join(',')}}`}::uuid[])`.execute(
    db,
  )
  const testById = new Map(tests.map(({ id, ...test }) => [id, test]))
  return links.flatMap((link) => {
    const test = testById.get(link.test_id)
    return test === undefined ? [] : [{ ...link, ...test }]
  })
}
