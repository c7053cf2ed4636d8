import { createHash } from 'node:crypto'

import { type RawBuilder, sql } from 'kysely'

import { joinToArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { sortInSteps } from '../../platform/sort-in-steps.ts'
import { createYielder } from '../../platform/yielder.ts'
import type { KnownTest, TestNames } from '../tests/known-tests.queries.ts'

/** The rows of the database from which an upload has found out which known tests its tests are. */
export interface SuiteBasis {
  /** Their titles, their ids, and the ids of those whose names were read, each an array as PostgreSQL writes it. */
  titleDigests: string
  testIds: string
  namedIds: string
  /** A digest of all that was read of them. */
  digest: string
}

/** Returns the digest of the rows as they are now: if it is the same, an upload would find out the same. */
export async function selectSuiteDigest(
  db: Database,
  projectId: string,
  { titleDigests, testIds, namedIds }: Omit<SuiteBasis, 'digest'>,
): Promise<string> {
  const inProject = sql`project_id = ${projectId}`
  const { rows } = await sql<{ digest: string }>`${plannedAnew}
    select encode(sha256(convert_to(concat(
      (
        select string_agg(concat(id, title_digest, ${joinTexts('file', 'variant', 'module')}), '' order by id) from tests
        where ${inProject} and title_digest = any(${titleDigests}::uuid[])
      ), ' ', (
        select string_agg(concat(test_id, case_number, source), ' ' order by test_id, case_number) from test_links
        where ${inProject} and test_id = any(${testIds}::uuid[])
      ), ' ', (
        select string_agg(concat(id, ${joinTexts('suite', 'name', 'file', 'report_suite')}), '' order by id) from tests
        where ${inProject} and id = any(${namedIds}::uuid[])
      )
    ), 'UTF8')), 'hex') as digest`.execute(db)
  return rows[0]?.digest ?? ''
}

/** With their lengths, so that no two lists of texts are the same. */
const joinTexts = (...columns: readonly string[]): RawBuilder<unknown> =>
  sql.raw(columns.map((column) => `octet_length(${column}), ':', ${column}`).join(', '))

/** Digests what an upload has read, as {@link selectSuiteDigest} does. */
export async function toSuiteBasis(known: readonly KnownTest[], names: readonly TestNames[]): Promise<SuiteBasis> {
  const tests = await sortInSteps(known, compareIds)
  const named = await sortInSteps(names, compareIds)
  const digest = createHash('sha256')
  const titleDigests = new Set<string>()
  const yielder = createYielder()
  for (const { id, titleDigest, file, variant, module } of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    titleDigests.add(titleDigest)
    digest.update(`${id}${titleDigest}${encodeText(file)}${encodeText(variant)}${encodeText(module)}`)
  }
  digest.update(' ')
  let separator = ''
  for (const { id, caseNumbers, source } of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    for (const number of caseNumbers.toSorted((a, b) => a - b)) {
      digest.update(`${separator}${id}${number}${source}`)
      separator = ' '
    }
  }
  digest.update(' ')
  for (const { id, suite, name, file, report_suite: reportSuite } of named) {
    if (yielder.shouldYield()) await yielder.yield()
    digest.update(`${id}${encodeText(suite)}${encodeText(name)}${encodeText(file)}${encodeText(reportSuite)}`)
  }
  return {
    titleDigests: await joinToArrayLiteral([...titleDigests]),
    testIds: await joinToArrayLiteral(tests.map(getId)),
    namedIds: await joinToArrayLiteral(named.map(getId)),
    digest: digest.digest('hex'),
  }
}

const getId = ({ id }: { id: string }): string => id

/** Ids are in the order of their bytes, as in the database. */
const compareIds = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : Number(a.id > b.id))

const encodeText = (text: string): string => `${Buffer.byteLength(text)}:${text}`
