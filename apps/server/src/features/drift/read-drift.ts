import { type DriftItem, type DriftKind, type listDrift, MAX_DRIFT } from '@caseward/contract/drift'
import type { Static } from '@caseward/contract/static'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { selectGroupTests } from '../failures/failure-groups.queries.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import * as queries from './drift.queries.ts'

type Query = Static<typeof listDrift.schema.querystring>
type Answer = Static<(typeof listDrift.schema.response)[200]>

type ReadRows = (
  db: Database,
  projectId: string,
  context: { now: Date; newest: readonly queries.NewestRuns[] },
) => Promise<queries.DriftRow[]>

const readers: Readonly<Record<DriftKind, ReadRows>> = {
  gone: async (db, projectId, { newest }) => await queries.selectGone(db, projectId, newest),
  unmatched: async (db, projectId, { now }) => await queries.selectUnmatched(db, projectId, now),
  twice: async (db, projectId, { now }) => await queries.selectTwice(db, projectId, now),
  moved: async (db, projectId, { newest }) =>
    keepBestPairs(await queries.selectMovedPairs(db, projectId, newest)).slice(0, MAX_DRIFT),
  title: async (db, projectId, { now }) => await queries.selectOtherTitles(db, projectId, now),
  by_hand: async (db, projectId) => await queries.selectByHand(db, projectId),
}

/** Counts the tests that are gone; {@link MAX_DRIFT} if there may be more. */
export async function countGone(db: Database, projectId: string, now: Date): Promise<number> {
  return (await queries.selectGone(db, projectId, await queries.selectNewestRuns(db, projectId, now))).length
}

/** Keeps the best pair of each test; the best come first. */
function keepBestPairs<T extends { test_ids: [string, string] }>(pairs: readonly T[]): T[] {
  const used = new Set<string>()
  return pairs.filter(({ test_ids: ids }) => {
    if (ids.some((id) => used.has(id))) return false
    for (const id of ids) used.add(id)
    return true
  })
}

/** A page of what drifts apart in one way. */
export async function readDrift(
  db: Database,
  project: ProjectRef,
  { kind, after = 0, per_page: perPage = 50 }: Query,
  now: Date,
): Promise<Answer> {
  const needsRuns = kind === 'gone' || kind === 'moved'
  const newest = needsRuns ? await queries.selectNewestRuns(db, project.id, now) : []
  const rows = await readers[kind](db, project.id, { now, newest })
  const page = rows.slice(after, after + perPage)
  const testIds = page.flatMap((row) => row.test_ids)
  const tests = await selectGroupTests(db, project.id, testIds)
  const similar = kind === 'unmatched' ? await queries.selectSimilarCases(db, project.id, testIds) : new Map()
  return {
    data: page.map((row) => {
      const { test_ids: ids, last_seen_on, series, count, ...own } = row
      const { case_number: number, case_title: title, similarity } = similar.get(ids[0] ?? '') ?? own
      return {
        tests: ids.flatMap((id) => tests.get(id) ?? []),
        test_case: toCase(project, number, title),
        last_seen_on,
        series,
        similarity,
        count,
      }
    }),
    meta: {
      total: rows.length,
      next_after: after + perPage < rows.length ? after + perPage : null,
      too_early_since: rows.length === 0 ? queries.findTooEarlySince(newest) : null,
    },
  }
}

const toCase = (project: ProjectRef, number: number | null, title: string | null): DriftItem['test_case'] =>
  number === null ? null : { id: formatTestCaseId(project.prefix, number), title: title ?? '' }
