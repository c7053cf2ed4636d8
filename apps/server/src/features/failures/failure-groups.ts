import {
  type FailureGroup,
  type FailureGroupDetail,
  type getFailureGroup,
  type listFailureGroups,
  type listRunFailureGroups,
  MAX_GROUP_TESTS,
} from '@caseward/contract/failure-groups'
import type { LinkedIssue } from '@caseward/contract/verdicts'
import { readFailure } from '@caseward/failures/read-failure'
import type { Static } from '@caseward/contract/static'

import type { ProjectRef, RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createLocalClock, requireTimeZone } from '../../platform/http/time-zones.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { selectIssues } from '../evaluation/issues.queries.ts'
import {
  countTestsByDay,
  countVerdictsOfGroups,
  findSample,
  type GroupCursor,
  type GroupQuery,
  type GroupRow,
  type GroupTest,
  selectGroups,
  selectGroupTests,
  selectLastRuns,
  selectOccurrences,
  selectRunsOfDays,
  selectSignature,
} from './failure-groups.queries.ts'

type RunFilters = Static<typeof listRunFailureGroups.schema.querystring>
type ProjectFilters = Static<typeof listFailureGroups.schema.querystring>

export interface GroupPage {
  data: FailureGroup[]
  meta: { next_after: string | null }
}

/** Tests that a group of a list shows, and those whose issues it has. */
const LISTED_TESTS = 5

/** A page of the failure groups of a run. */
export async function listGroupsOfRun(db: Database, run: RunRef, filters: RunFilters): Promise<GroupPage> {
  const projectId = run.project.id
  const page = await readPage(db, projectId, [run.id], { ...filters, sort: 'blocking' })
  const runs = await selectLastRuns(db, projectId)
  const occurrences = await selectOccurrences(
    db,
    projectId,
    [...runs.keys()],
    page.rows.map(({ signature }) => signature),
  )
  const rows = page.rows.map((row) => ({ ...row, ...occurrences.get(row.signature) }))
  return {
    data: await presentGroups(db, projectId, rows, { runs, countedRuns: [run.id], runId: run.id }),
    meta: page.meta,
  }
}

/**
 * A page of the failure groups of a project.
 * @throws {Problem} 400 for an unknown time zone
 */
export async function listGroupsOfProject(
  db: Database,
  project: ProjectRef,
  { days = 30, branch, series, fields, time_zone: timeZone, ...filters }: ProjectFilters,
): Promise<GroupPage> {
  const { formatDay } = createLocalClock(requireTimeZone(timeZone))
  const runs = await selectRunsOfDays(db, project.id, { days, branch, series })
  const countedRuns = [...runs.keys()]
  const { rows, meta } = await readPage(db, project.id, countedRuns, filters)
  const groups = await presentGroups(db, project.id, rows, { runs, countedRuns, runId: null })
  if (fields === undefined) return { data: groups, meta }
  const signatures = groups.map(({ signature }) => signature)
  const counts = await countTestsByDay(db, project.id, signatures, mapDays(runs, formatDay))
  return { data: groups.map((group) => ({ ...group, days: counts.get(group.signature) ?? [] })), meta }
}

async function readPage(
  db: Database,
  projectId: string,
  runIds: readonly string[],
  { search, sort, after, per_page: perPage = 20 }: RunFilters & Pick<GroupQuery, 'search' | 'sort'>,
): Promise<{ rows: GroupRow[]; meta: GroupPage['meta'] }> {
  const rows = await selectGroups(db, projectId, {
    runIds,
    search,
    sort,
    after: after === undefined ? undefined : parseCursor(after),
    limit: perPage + 1,
    testLimit: MAX_GROUP_TESTS,
  })
  const page = rows.slice(0, perPage)
  const last = rows.length > perPage ? page.at(-1) : undefined
  return { rows: page, meta: { next_after: last === undefined ? null : `${last.sort_key}.${last.signature}` } }
}

function parseCursor(after: string): GroupCursor {
  const [key = '', signature = ''] = after.split('.')
  return { key, signature }
}

interface PresentOptions {
  /** When the runs were created in which a group may have occurred last. */
  runs: ReadonlyMap<string, Date>
  /** The runs whose verdicts are counted. */
  countedRuns: readonly string[]
  /** The run whose results may have issues; null for test cases only. */
  runId: string | null
}

async function presentGroups(
  db: Database,
  projectId: string,
  rows: readonly GroupRow[],
  { runs, countedRuns, runId }: PresentOptions,
): Promise<FailureGroup[]> {
  const testIds = rows.flatMap((row) => row.test_ids)
  const [verdicts, tests, issues] = await Promise.all([
    countVerdictsOfGroups(
      db,
      projectId,
      countedRuns,
      rows.map(({ signature }) => signature),
    ),
    selectGroupTests(db, projectId, testIds),
    selectIssues(db, projectId, { testIds: [...new Set(testIds)], runId }),
  ])
  return rows.map((row) => ({
    signature: row.signature,
    title: row.title,
    kind: row.kind,
    test_count: row.test_count,
    run_count: row.run_count,
    first_seen: presentTime(row.first_seen_at),
    last_seen: presentTime(runs.get(row.last_run_id) ?? row.first_seen_at),
    verdicts: verdicts.get(row.signature) ?? {},
    tests: pickTests(row.test_ids.slice(0, LISTED_TESTS), tests),
    issues: joinIssues(row.test_ids, issues),
  }))
}

const pickTests = (ids: readonly string[], tests: ReadonlyMap<string, GroupTest>): GroupTest[] =>
  ids.flatMap((id) => tests.get(id) ?? [])

const MAX_ISSUES = 10

/** The issues of the tests of a group, each once. */
export function joinIssues(testIds: readonly string[], issues: ReadonlyMap<string, LinkedIssue[]>): LinkedIssue[] {
  const byUrl = new Map<string, LinkedIssue>()
  for (const id of testIds)
    for (const issue of issues.get(id) ?? []) byUrl.set(issue.url, byUrl.get(issue.url) ?? issue)
  return [...byUrl.values()].slice(0, MAX_ISSUES)
}

/**
 * A failure group of a project; null when it has none with this signature.
 * @throws {Problem} 400 for an unknown time zone
 */
export async function getGroup(
  db: Database,
  project: ProjectRef,
  signature: string,
  { days = 30, branch, series, time_zone: timeZone }: Static<typeof getFailureGroup.schema.querystring>,
): Promise<FailureGroupDetail | null> {
  const { formatDay } = createLocalClock(requireTimeZone(timeZone))
  if (!/^[0-9a-f]{32}$/.test(signature)) return null
  const stored = await selectSignature(db, project.id, signature)
  if (stored === undefined) return null
  const runs = await selectRunsOfDays(db, project.id, { days, branch, series })
  const countedRuns = [...runs.keys()]
  const [row] = await selectGroups(db, project.id, {
    runIds: countedRuns,
    signature,
    limit: 1,
    testLimit: MAX_GROUP_TESTS,
  })
  const { message, frame } = stored
  if (row === undefined) {
    const { title, kind } = stored
    const seen = presentTime(stored.first_seen_at)
    const none = { test_count: 0, run_count: 0, verdicts: {}, tests: [], issues: [], days: [], sample: null }
    return { signature, title, kind, first_seen: seen, last_seen: seen, message, frame, ...none }
  }
  const [group] = await presentGroups(db, project.id, [row], { runs, countedRuns, runId: row.last_run_id })
  if (group === undefined) return null
  const tests = await selectGroupTests(db, project.id, row.test_ids)
  const dayCounts = await countTestsByDay(db, project.id, [signature], mapDays(runs, formatDay))
  return {
    ...group,
    message,
    frame,
    tests: pickTests(row.test_ids, tests),
    days: dayCounts.get(signature) ?? [],
    sample: await readSample(db, { id: row.last_run_id, project }, signature, tests),
  }
}

/** The day of each run. */
const mapDays = (runs: ReadonlyMap<string, Date>, formatDay: (at: Date) => string): Map<string, string> =>
  new Map([...runs].map(([id, at]) => [id, formatDay(at)]))

/** Reads the newest failure of a group. Of several attempts that failed, it is the one with this signature. */
async function readSample(
  db: Database,
  run: Pick<RunRef, 'id' | 'project'>,
  signature: string,
  tests: ReadonlyMap<string, GroupTest>,
): Promise<FailureGroupDetail['sample']> {
  const sample = await findSample(db, run, signature)
  if (sample === null) return null
  const test =
    tests.get(sample.testId) ?? (await selectGroupTests(db, run.project.id, [sample.testId])).get(sample.testId)
  const [first] = sample.texts
  const own = sample.texts.find((texts) => test !== undefined && readFailure(texts, test).signature === signature)
  const { message, details } = own ?? first ?? { message: '', details: '' }
  return { run_id: run.id, test_id: sample.testId, message, details }
}
