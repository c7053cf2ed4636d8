import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { readBuildData } from '../build-data/read-build-data.ts'
import { getRunGroup } from '../runs/run-groups.ts'
import { insertRunConfigurations } from './apply-combinations.queries.ts'
import { appendRunUploads, insertRunUploads } from './apply-run-uploads.queries.ts'
import { distinctLinks } from './apply-folders.ts'
import { markDone, savePlanned, selectWaiting, type WaitingRecord } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { saveOwnSources } from './own-sources.ts'
import { storeFields } from './own-field-values.ts'
import type { PlannedRun } from './plan-runs.ts'
import { saveLinks, type Source, toKeyDigest } from './source-links.queries.ts'
import { withWholeJoins } from './whole-joins.ts'

const BATCH = 500

/**
 * Creates runs of a plan in the time of the source. The caller holds the lock on the project.
 * @returns how many were done; 0 at the end
 */
export async function applyRuns(
  tx: Database,
  claim: ClaimedImport,
  { source, format }: { source: Source; format: string },
): Promise<number> {
  const { projectId } = claim
  const waiting = await selectWaiting<PlannedRun>(tx, claim, 'run', BATCH)
  if (waiting.length === 0) return 0
  const created = waiting.filter(({ action }) => action === 'create')
  await storeFields(tx, projectId, 'run', waiting)
  if (created.length > 0) {
    const { rows } = await sql<{ last: number }>`
      update projects set run_count = run_count + ${created.length}, last_run_number = last_run_number + ${created.length}
      where id = ${projectId} returning last_run_number as last`.execute(tx)
    const start = (rows[0]?.last ?? 0) - created.length + 1
    const takenKeys = await selectTakenKeys(tx, projectId, created)
    const runs = created.map(({ planned, losses }, index) => {
      const runKey = planned.run_key ?? null
      const isTaken = runKey !== null && takenKeys.has(runKey)
      if (isTaken) losses.push('not_imported:keys_of_ci_runs')
      else if (runKey !== null) takenKeys.add(runKey)
      return {
        ...planned,
        ...readBuildData(planned.metadata),
        run_key: isTaken ? null : runKey,
        run_group: getRunGroup(start + index),
      }
    })
    await sql`
      insert into runs (id, project_id, name, description, status, milestone_id, created_by, created_at, updated_at,
        completed_at, completed_by, completed_itself, metadata, run_group, is_imported, adds_test_cases,
        created_by_person, completed_by_person, fields, run_key, last_upload_at, repository, branch, commit_sha, head_commit,
        base_branch, base_commit, pull_request, default_branch, target, series)
      select item.id, ${projectId}::uuid, item.name, item.description, item.status::run_status, m.id, item.created_by,
        item.created_at, now(), item.completed_at, item.completed_by,
        case when item.status = 'completed' then false end, item.metadata, item.run_group, true,
        item.adds_test_cases, item.created_by_person, item.completed_by_person, item.stored_fields, item.run_key,
        -- A run of CI completes itself when nothing more is uploaded.
        case when item.status = 'in_progress' and item.run_key is not null then now() end,
        item.repository, item.branch, item.commit_sha, item.head_commit, item.base_branch, item.base_commit,
        item.pull_request, item.default_branch, item.target, item.series
      from json_to_recordset(${toStoredJson(runs)}) as item (
        id uuid, name text, description text, status text, milestone_id uuid, created_by uuid, created_at timestamptz,
        completed_by uuid, completed_at timestamptz, metadata json, run_group int,
        adds_test_cases boolean, created_by_person uuid, completed_by_person uuid,
        stored_fields jsonb, run_key text, repository text, branch text, commit_sha text, head_commit text,
        base_branch text, base_commit text, pull_request text, default_branch text, target text, series text
      )
      left join milestones m on m.project_id = ${projectId} and m.id = item.milestone_id`.execute(tx)
    await insertRunConfigurations(tx, projectId, runs)
    await insertRunUploads(tx, projectId, listUploads(created))
  }
  await fillRuns(
    tx,
    projectId,
    waiting.filter(({ action }) => action === 'update').map(({ planned }) => planned),
  )
  const others = await appendRunUploads(tx, projectId, listUploads(waiting.filter(({ action }) => action === 'update')))
  for (const { planned, losses } of waiting) if (others.has(planned.id)) losses.push('not_imported:uploads_of_runs')
  const links = waiting.map(({ key, planned }) => ({
    key_digest: toKeyDigest(key ?? ''),
    key: key ?? '',
    target: planned.id,
    format,
    // Until all its results are there, the next import reads them again.
    raw_digest: '',
    field_digests: {},
    details: null,
  }))
  await saveLinks(tx, projectId, source, 'run', claim.id, distinctLinks(links))
  await saveOwnSources(
    tx,
    claim,
    'run',
    created.map(({ planned: { id, sources } }) => ({ target: id, sources })),
  )
  await savePlanned(
    tx,
    claim,
    created.filter(({ planned }) => (planned.stored_fields ?? null) !== null),
  )
  await markDone(
    tx,
    claim,
    waiting.map(({ seq, action, planned, losses }) => ({ seq, action, target: planned.id, losses })),
  )
  return waiting.length
}

const listUploads = (records: readonly WaitingRecord<PlannedRun>[]) =>
  records.flatMap(({ planned: { id, ci } }) => (ci === undefined ? [] : [{ id, ...ci }]))

/** Gives runs of earlier imports values that they have none of. */
async function fillRuns(tx: Database, projectId: string, runs: readonly PlannedRun[]): Promise<void> {
  const filled = runs.flatMap(({ id, stored_fields: fields = null }) => (fields === null ? [] : [{ id, fields }]))
  if (filled.length === 0) return
  await sql`
    update runs r set fields = item.fields, updated_at = now()
    from json_to_recordset(${toStoredJson(filled)}) as item (id uuid, fields jsonb)
    where r.project_id = ${projectId} and r.id = item.id and r.fields is null`.execute(tx)
}

/** Which keys of CI builds other runs here have. */
async function selectTakenKeys(
  tx: Database,
  projectId: string,
  records: readonly WaitingRecord<PlannedRun>[],
): Promise<Set<string>> {
  const keys = records.flatMap(({ planned }) => planned.run_key ?? [])
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ run_key: string }>`
    select run_key from runs where project_id = ${projectId} and run_key = any(${keys}::text[])`.execute(tx)
  return new Set(rows.map((row) => row.run_key))
}

/**
 * Puts created runs into the chains of reruns that they had. A run of a chain that is not here is as one that was deleted: the chain
 * stays together under an id that follows from its key.
 */
export async function linkReruns(
  tx: Database,
  { projectId, id }: ClaimedImport,
  { system, source }: Source,
): Promise<void> {
  await withWholeJoins(tx, async (joined) => {
    const targetOf = (name: 'of' | 'root') => sql`coalesce(
      (select l.target::uuid from source_links l where l.project_id = ${projectId} and l.system = ${system}
        and l.source = ${source} and l.kind = 'run' and l.key_digest = p.planned -> 'rerun' ->> ${name}::text),
      md5(${projectId}::text || (p.planned -> 'rerun' ->> ${name}::text))::uuid
    )`
    const { rows } = await sql<{ id: string; rerun_of: string; root: string; number: number }>`${plannedAnew}
      select p.target as id, ${targetOf('of')} as rerun_of, ${targetOf('root')} as root,
        (p.planned -> 'rerun' ->> 'number')::int as number
      from import_records p
      where p.project_id = ${projectId} and p.import_id = ${id} and p.kind = 'run' and p.action = 'create' and p.is_done
        and p.planned -> 'rerun' ->> 'of' is not null`.execute(joined)
    if (rows.length === 0) return
    await sql`
      update runs r set rerun_of = item.rerun_of, root_run_id = item.root, rerun_number = item.number
      from json_to_recordset(${JSON.stringify(rows)}) as item (id uuid, rerun_of uuid, root uuid, number smallint)
      where r.project_id = ${projectId} and r.id = item.id and r.rerun_of is null`.execute(joined)
  })
}

/** Says that all results of the runs are there. */
export async function finishRuns(tx: Database, { projectId, id }: ClaimedImport, source: Source): Promise<void> {
  await withWholeJoins(tx, async (joined) => {
    await sql`${plannedAnew}
    update source_links l set raw_digest = r.planned ->> 'raw_digest'
    from import_records r
    where l.project_id = ${projectId} and l.system = ${source.system} and l.source = ${source.source} and l.kind = 'run'
      and r.project_id = ${projectId} and r.import_id = ${id} and r.kind = 'run' and r.is_done
      and r.action in ('create', 'update') and l.target = r.target and l.import_id = ${id}`.execute(joined)
  })
}
