import type { ImportState } from '@caseward/contract/import-kinds'
import type { ImportSettings } from '@caseward/contract/import-settings'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import type { ImportPlanning, ImportProof, ImportReading } from './import-summary.ts'

export interface ImportRow {
  id: string
  name: string
  state: ImportState
  failed_state: WorkingState | null
  system: string | null
  source: string | null
  format: string | null
  settings: ImportSettings
  plan: string | null
  reading: ImportReading | null
  planning: ImportPlanning | null
  proof: ImportProof | null
  progress: { stage: string; done: number; total: number } | null
  error: { code: string; detail: string } | null
  is_cancelled: boolean
  created_by: string | null
  /** Who acted last: the plan depends on what they may do, and what it writes is theirs. */
  applied_by: string | null
  created_at: Date
  planned_at: Date | null
  applied_at: Date | null
  undone_at: Date | null
  /** When its files and records were deleted. */
  cleaned_at: Date | null
}

/** The states in which a server works on an import. */
export const WORKING_STATES = ['reading', 'planning', 'applying', 'undoing'] as const
export type WorkingState = (typeof WORKING_STATES)[number]
export const isWorking = (state: ImportState): state is WorkingState =>
  (WORKING_STATES as readonly string[]).includes(state)

const columns = sql`
  id, name, state, failed_state, system, source, format, settings, plan, reading, planning, proof, progress, error,
  is_cancelled, created_by, applied_by, created_at, planned_at, applied_at, undone_at, cleaned_at`

export async function selectImport(
  db: Database,
  projectId: string,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<ImportRow | null> {
  const { rows } = await sql<ImportRow>`
    select ${columns} from imports where project_id = ${projectId} and id = ${id} ${lock ? sql`for update` : sql``}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Selects imports, the newest first. */
export async function selectImports(
  db: Database,
  projectId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<ImportRow[]> {
  const { rows } = await sql<ImportRow>`
    select ${columns} from imports
    where project_id = ${projectId} ${after === null ? sql`` : sql`and id < ${after}`}
    order by id desc limit ${limit}`.execute(db)
  return rows
}

export async function insertImport(
  tx: Database,
  projectId: string,
  { id, name, source, createdBy }: { id: string; name: string; source: string | null; createdBy: string | null },
): Promise<void> {
  await sql`
    insert into imports (project_id, id, name, state, settings, created_by, applied_by)
    values (${projectId}, ${id}, ${name}, 'reading', ${JSON.stringify(source === null ? {} : { source })}::json,
      ${createdBy}, ${createdBy})`.execute(tx)
}

const JSON_COLUMNS = new Set(['settings', 'reading', 'planning', 'proof', 'progress', 'error'])
type Changes = Partial<Omit<ImportRow, 'id' | 'created_at' | 'created_by'>>

/** Changes columns of an import. */
export async function updateImport(db: Database, projectId: string, id: string, changes: Changes): Promise<void> {
  const sets = Object.entries(changes).map(([name, value]) =>
    JSON_COLUMNS.has(name)
      ? sql`${sql.ref(name)} = ${value === null ? null : JSON.stringify(value)}::json`
      : sql`${sql.ref(name)} = ${value}`,
  )
  await sql`
    update imports set ${sql.join(sets)} where project_id = ${projectId} and id = ${id}`.execute(db)
}

/** Selects the choices of the last import of a source that was applied, which the next one begins with. */
export async function selectEarlierSettings(
  db: Database,
  projectId: string,
  { system, source }: { system: string; source: string },
): Promise<ImportSettings> {
  const { rows } = await sql<{ settings: ImportSettings }>`
    select settings from imports
    where project_id = ${projectId} and system = ${system} and source = ${source} and applied_at is not null
    order by applied_at desc limit 1`.execute(db)
  // What belongs to one file, or is only wanted once, is asked again.
  const { encoding: _, restores_deleted: __, absent: ___, ...settings } = rows[0]?.settings ?? {}
  return settings
}

/** Whether another import of the project writes into it, or takes back what it wrote. */
export async function hasImportThatWrites(tx: Database, projectId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from imports where project_id = ${projectId} and id <> ${id} and state in ('applying', 'undoing') limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** How many imports of a project are read or planned now, and how many there are. */
export async function countImports(tx: Database, projectId: string): Promise<{ all: number; recent: number }> {
  const { rows } = await sql<{ all: number; recent: number }>`
    select count(*)::int as all, count(*) filter (where created_at > now() - interval '1 hour')::int as recent
    from imports where project_id = ${projectId}`.execute(tx)
  return rows[0] ?? { all: 0, recent: 0 }
}

export interface ImportFileRow {
  name: string
  byte_count: number
  file_id: string
}

export async function insertImportFile(
  tx: Database,
  projectId: string,
  importId: string,
  { name, byte_count: byteCount, file_id: fileId }: ImportFileRow,
): Promise<void> {
  await sql`
    insert into import_files (project_id, import_id, position, name, byte_count, file_id)
    values (${projectId}, ${importId}, 1, ${name}, ${byteCount}, ${fileId})`.execute(tx)
}

/** Selects the files of imports by the id of the import. */
export async function selectImportFiles(
  db: Database,
  projectId: string,
  importIds: readonly string[],
): Promise<Map<string, ImportFileRow[]>> {
  const { rows } = await sql<ImportFileRow & { import_id: string }>`
    select import_id, name, byte_count, file_id from import_files
    where project_id = ${projectId} and import_id = any(${importIds}::uuid[]) order by import_id, position`.execute(db)
  const files = new Map<string, ImportFileRow[]>()
  for (const { import_id: id, ...file } of rows) files.set(id, [...(files.get(id) ?? []), file])
  return files
}

/** Deletes an import with its records. Returns the ids of its files, which lost a place. */
export async function deleteImportRows(tx: Database, projectId: string, id: string): Promise<string[]> {
  const { rows } = await sql<{ file_id: string }>`
    delete from import_files where project_id = ${projectId} and import_id = ${id} returning file_id`.execute(tx)
  await sql`${plannedAnew} delete from import_records where project_id = ${projectId} and import_id = ${id}`.execute(tx)
  await sql`delete from imports where project_id = ${projectId} and id = ${id}`.execute(tx)
  return rows.map((row) => row.file_id)
}

/** How long a server that says nothing keeps an import. */
const LEASE = sql.raw(`interval '30 seconds'`)

export interface ClaimedImport {
  projectId: string
  id: string
}

/** Takes imports that wait for work, or whose server is gone. */
export async function claimImports(db: Database, worker: string, limit: number): Promise<ClaimedImport[]> {
  const { rows } = await sql<{ project_id: string; id: string }>`
    update imports set worker = ${worker}, working_until = now() + ${LEASE}
    where (project_id, id) in (
      select project_id, id from imports
      where state in ('reading', 'planning', 'applying', 'undoing')
        and coalesce(working_until, '-infinity') < now()
      order by created_at limit ${limit} for update skip locked
    )
    returning project_id, id`.execute(db)
  return rows.map(({ project_id: projectId, id }) => ({ projectId, id }))
}

/**
 * Keeps an import for its server, and says how far it is. Returns false if it belongs to another server now, or is to end.
 * In the transaction of a batch, it locks the import: nobody else writes the same batch.
 */
export async function keepImport(
  tx: Database,
  { projectId, id }: ClaimedImport,
  worker: string,
  progress: ImportRow['progress'],
): Promise<boolean> {
  const { rows } = await sql<{ is_cancelled: boolean }>`
    update imports set working_until = now() + ${LEASE}, progress = ${JSON.stringify(progress)}::json
    where project_id = ${projectId} and id = ${id} and worker = ${worker} and not is_cancelled
    returning is_cancelled`.execute(tx)
  return rows.length > 0
}

/** Ends the work of a server on an import: others may go on at once. */
export async function releaseImport(db: Database, { projectId, id }: ClaimedImport, worker: string): Promise<void> {
  await sql`
    update imports set worker = null, working_until = null
    where project_id = ${projectId} and id = ${id} and worker = ${worker}`.execute(db)
}
