import type { ResultStatus } from '@caseward/contract/results'
import { RESULT_STATUSES } from '@caseward/contract/results'
import type { StatusCounts, TestStats } from '@caseward/contract/run-schemas'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { countChains, type ResultSource } from '../exports/result-records.queries.ts'
import { selectRunsOfMilestone } from '../milestones/readiness.queries.ts'
import { TEST_STATS } from '../runs/run-columns.ts'
import type { ShareSubject } from './shares.queries.ts'

/** A run that a report is about. */
export interface ReportRun {
  id: string
  name: string
  description: string
  status: 'in_progress' | 'completed'
  createdAt: Date
  completedAt: Date | null
  metadata: Record<string, string>
  rootId: string
  stats: StatusCounts
  tests: TestStats
  hasAttachments: boolean
}

/** Results that are counted together: of a run, or of a chain. */
export interface ReportUnit {
  source: ResultSource
  stats: StatusCounts
}

const chainOf = (projectId: string, runId: string) => sql`
  select r.* from runs r where r.project_id = ${projectId} and (
    r.id = (select coalesce(root_run_id, id) from runs where id = ${runId})
    or r.root_run_id = (select coalesce(root_run_id, id) from runs where id = ${runId})
  )`

/** The runs that a report is about, the oldest first: those of the chain of a run, or those of a milestone. */
export async function selectReportRuns(db: Database, projectId: string, subject: ShareSubject): Promise<ReportRun[]> {
  const runs = subject.kind === 'run' ? chainOf(projectId, subject.id) : selectRunsOfMilestone(projectId, subject.id)
  const { rows } = await sql<ReportRun>`
    select r.id, r.name, r.description, r.status, r.created_at as "createdAt", r.completed_at as "completedAt", r.metadata,
      coalesce(r.root_run_id, r.id) as "rootId", ${sql.raw(TEST_STATS)} as tests,
      r.attachment_count is not null as "hasAttachments", json_build_object(
        'passed', r.passed_count, 'failed', r.failed_count, 'blocked', r.blocked_count, 'retest', r.retest_count,
        'not_tested', r.not_tested_count
      ) as stats
    from (${runs}) r order by r.id`.execute(db)
  return rows
}

/** Groups runs into chains, in the order of their first runs, and counts each test case of a chain once. */
export async function countUnits(db: Database, projectId: string, runs: readonly ReportRun[]): Promise<ReportUnit[]> {
  const groups = new Map<string, ReportRun[]>()
  for (const run of runs) groups.set(run.rootId, [...(groups.get(run.rootId) ?? []), run])
  const units = [...groups.values()].map((group) => toUnit(group))
  const chains = units.filter(({ source }) => source.runIds.length > 1)
  const byRoot = new Map(chains.map((unit) => [unit.source.root, unit]))
  const counts = await countChains(
    db,
    projectId,
    chains.map(({ source }) => source),
  )
  for (const { root, status, count } of counts) {
    const unit = byRoot.get(root)
    if (unit !== undefined) unit.stats[status] = count
  }
  return units
}

/** A single run has its counts itself. */
function toUnit(group: readonly ReportRun[]): ReportUnit {
  const runIds = group.map(({ id }) => id)
  const [first] = group
  if (first === undefined) throw new Error('A group of runs is empty')
  if (group.length === 1) return { source: { root: first.id, runIds }, stats: first.stats }
  return { source: { root: first.rootId, runIds }, stats: sumCounts([]) }
}

export function sumCounts(all: readonly StatusCounts[]): StatusCounts {
  const sum: StatusCounts = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
  for (const counts of all) for (const status of RESULT_STATUSES) sum[status] += counts[status]
  return sum
}

export const countResults = (counts: StatusCounts, statuses: readonly ResultStatus[] = RESULT_STATUSES): number =>
  statuses.reduce((sum, status) => sum + counts[status], 0)
