import { stripVTControlCharacters } from 'node:util'

import type { TestQuarantine, TestStability } from '@caseward/contract/stability'
import type { TestVerdict } from '@caseward/contract/verdicts'
import { cutText } from '@caseward/matching/note'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import { selectIssues } from './issues.queries.ts'
import { selectVerdictRows, type VerdictFilters, type VerdictRow } from './verdict-rows.queries.ts'

/** A page of the verdicts of a run. */
export async function listVerdictsOfRun(
  db: Database,
  run: RunRef,
  filters: VerdictFilters,
): Promise<{ data: TestVerdict[]; meta: { next_after: string | null } }> {
  const { per_page: perPage = 20 } = filters
  const rows = await selectVerdictRows(db, run, filters, perPage + 1)
  const page = rows.slice(0, perPage)
  const [commits, quarantines, issues] = await Promise.all([
    selectCommits(
      db,
      page.flatMap((row) => row.since_run_id ?? []),
    ),
    selectQuarantines(
      db,
      run,
      page.flatMap((row) => row.quarantine_id ?? []),
    ),
    selectIssues(db, run.project.id, { testIds: page.map(({ id }) => id), runId: run.id }),
  ])
  const data = page.map((row): TestVerdict => ({
    ...presentTest(row, run),
    verdict: row.verdict,
    blocks: row.blocks,
    is_first_flake: row.is_first_flake,
    outcome: row.outcome,
    attempt_count: row.attempt_count,
    message_line: toMessageLine(row),
    signature: row.signature,
    since:
      row.since_run_id === null || row.since_runs === null
        ? null
        : { run_id: row.since_run_id, commit: commits.get(row.since_run_id) ?? null, runs: row.since_runs },
    base_run_id: row.base_run_id,
    quarantine: quarantines.get(row.quarantine_id ?? '') ?? null,
    issues: issues.get(row.id) ?? [],
    stability: presentStability(row),
  }))
  return { data, meta: { next_after: rows.length > perPage ? (page.at(-1)?.id ?? null) : null } }
}

const presentTest = (row: VerdictRow, { project }: RunRef) => ({
  id: row.id,
  suite: row.suite,
  name: row.name,
  variant: row.variant,
  file: row.file,
  module: row.module,
  test_case_ids: (row.case_numbers ?? []).map((number) => formatTestCaseId(project.prefix, number)),
  linked_by: row.linked_by,
})

function presentStability(row: VerdictRow): TestStability | null {
  if (row.stability === null || row.stability_since === null) return null
  return {
    state: row.stability,
    since: presentTime(row.stability_since),
    flake_commits: row.flake_commits ?? 0,
    commits: row.commits ?? 0,
    score: row.score ?? 0,
    last_flake_at: row.last_event_at === null ? null : presentTime(row.last_event_at),
  }
}

const MAX_LINE = 200

/** The first line with text of the message, else of the details. */
function toMessageLine({ message, details }: Pick<VerdictRow, 'message' | 'details'>): string | null {
  for (const text of [message, details]) {
    const line = stripVTControlCharacters(text ?? '')
      .split(/[\r\n]+/)
      .map((part) => part.trim())
      .find((part) => part !== '')
    if (line !== undefined) return cutText(line, MAX_LINE).toWellFormed()
  }
  return null
}

async function selectCommits(db: Database, runIds: readonly string[]): Promise<Map<string, string | null>> {
  if (runIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; commit_sha: string | null }>`
    select id, commit_sha from runs where id = any(${[...new Set(runIds)]}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, commit_sha: commit }) => [id, commit]))
}

async function selectQuarantines(
  db: Database,
  { project }: RunRef,
  ids: readonly string[],
): Promise<Map<string, TestQuarantine>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Omit<TestQuarantine, 'expires_at'> & { expires_at: Date }>`
    select id, reason, owner_id, branches, expires_at from quarantines
    where project_id = ${project.id} and id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, { ...row, expires_at: presentTime(row.expires_at) }]))
}
