import type { CreateImportBody, ImportSettings } from '@caseward/contract/import-settings'
import { isTimeZone } from '@caseward/importers/steps/local-time'
import { MAX_IMPORT_BYTES } from '@caseward/contract/imports'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { conflictProblem, invalidFieldProblem, notFoundProblem, Problem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { insertFileCandidate } from '../files/file-candidates.queries.ts'
import { lockFile, selectFile } from '../files/files.queries.ts'
import { requireRole } from '../members/require-role.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { hasChangedCases } from './import-records.queries.ts'
import * as queries from './imports.queries.ts'

/** Reading and planning take a processor. */
const MAX_IMPORTS_PER_HOUR = 60
/** Finished imports keep their report; the rest is for whoever cleans up. */
const MAX_IMPORTS = 1000

/**
 * Creates an import of a file that was uploaded.
 * @throws {Problem} 400 for an unknown file; 413 for a large one; 429 for too many imports
 */
export async function createImport(
  db: Database,
  projectId: string,
  userId: string,
  { file_id: fileId, name, source }: CreateImportBody,
): Promise<string> {
  const id = uuidv7()
  await db.transaction().execute(async (tx) => {
    await requireLockedProject(tx, projectId)
    const file =
      isUuid(fileId) && (await lockFile(tx, projectId, fileId)) ? await selectFile(tx, projectId, fileId) : null
    if (file === null) throw invalidFieldProblem('/file_id', 'is not a file of this project: upload it first')
    const byteCount = file.byteCount
    if (byteCount > MAX_IMPORT_BYTES) {
      throw new Problem(
        413,
        'file_too_large',
        `The file is larger than ${MAX_IMPORT_BYTES / 1024 / 1024} MB. Split it.`,
      )
    }
    const { all, recent } = await queries.countImports(tx, projectId)
    if (recent >= MAX_IMPORTS_PER_HOUR || all >= MAX_IMPORTS) throw tooManyImportsProblem(all >= MAX_IMPORTS)
    await queries.insertImport(tx, projectId, { id, name, source: source ?? null, createdBy: userId })
    await queries.insertImportFile(tx, projectId, id, { name, byte_count: byteCount, file_id: fileId })
  })
  return id
}

const tooManyImportsProblem = (hasTooMany: boolean) =>
  new Problem(
    429,
    'too_many_imports',
    hasTooMany
      ? `The project has ${MAX_IMPORTS.toLocaleString('en')} imports. Delete those that are done.`
      : `The project has had ${MAX_IMPORTS_PER_HOUR} imports within an hour. Try again later.`,
    { headers: { 'retry-after': '600' } },
  )

/**
 * Makes the plan again with other choices.
 * @throws {Problem} 400 for an unknown time zone; 404; 409 for an import that works or was applied
 */
export async function replanImport(
  db: Database,
  projectId: string,
  id: string,
  userId: string,
  settings: ImportSettings,
): Promise<void> {
  if (settings.time_zone !== undefined && !isTimeZone(settings.time_zone)) {
    throw invalidFieldProblem('/time_zone', 'is not the name of a time zone, such as `Europe/Berlin`')
  }
  await withImport(db, projectId, id, async (tx, row) => {
    requireIdle(row)
    if (row.cleaned_at !== null) {
      throw conflictProblem(
        'import_applied',
        'The file of the import was deleted after 30 days. Import the file again.',
      )
    }
    if (row.applied_at !== null || row.failed_state === 'applying' || row.state === 'undone') throw appliedProblem()
    // Another encoding or project gives other records.
    const hasSameRecords = row.settings.encoding === settings.encoding && row.settings.project === settings.project
    const isRead = row.reading !== null && hasSameRecords
    await queries.updateImport(tx, projectId, id, {
      ...RESET,
      settings,
      applied_by: userId,
      state: isRead ? 'planning' : 'reading',
    })
  })
}

const RESET = { is_cancelled: false, error: null, failed_state: null, progress: null } as const

/** Who begins to write. */
export interface ImportActor {
  actor: AuditActor
  userId: string
}

/**
 * Begins to apply a plan.
 * @throws {Problem} 404; 409 for another plan, test cases that are not what it was made for, or another import that writes; 403 when it needs an admin
 */
export async function startApplying(
  db: Database,
  { actor, userId }: ImportActor,
  projectId: string,
  id: string,
  plan: string,
): Promise<void> {
  await withImport(db, projectId, id, async (tx, row) => {
    requireIdle(row)
    if (row.state !== 'planned') {
      throw conflictProblem('not_planned', `The import is ${row.state}, and has no plan that waits.`)
    }
    if (row.plan !== plan) {
      throw conflictProblem('plan_changed', 'The plan was made again meanwhile. Look at it, and apply the new one.')
    }
    if (row.planning?.needs_settings === true) {
      await requireRole(tx, { projectId, userId }, 'project:settings')
    }
    await requireNoOther(tx, projectId, id)
    if (await hasChangedCases(tx, { projectId, id })) {
      throw conflictProblem(
        'plan_changed',
        'Test cases that the plan is about were changed or deleted here meanwhile. Plan again, and look at what differs.',
      )
    }
    await queries.updateImport(tx, projectId, id, { ...RESET, state: 'applying', applied_by: userId })
    await recordImport(tx, actor, projectId, row, 'import.apply')
  })
}

/** @throws {Problem} 404; 409 for an import that does not work */
export async function cancelImport(db: Database, projectId: string, id: string): Promise<void> {
  await withImport(db, projectId, id, async (tx, row) => {
    if (!queries.isWorking(row.state)) {
      throw conflictProblem('not_running', `The import is ${row.state}: there is nothing to cancel.`)
    }
    await queries.updateImport(tx, projectId, id, { is_cancelled: true })
  })
}

/** @throws {Problem} 404; 409 for an import that was not canceled and has not failed */
export async function resumeImport(db: Database, projectId: string, id: string, userId: string): Promise<void> {
  await withImport(db, projectId, id, async (tx, row) => {
    if (!['failed', 'cancelled'].includes(row.state) || row.failed_state === null) {
      throw conflictProblem('not_interrupted', `The import is ${row.state}: there is nothing to resume.`)
    }
    if (row.failed_state === 'applying' || row.failed_state === 'undoing') await requireNoOther(tx, projectId, id)
    await queries.updateImport(tx, projectId, id, { ...RESET, state: row.failed_state, applied_by: userId })
  })
}

/** @throws {Problem} 404; 409 for an import that has written nothing */
export async function startUndoing(
  db: Database,
  { actor, userId }: ImportActor,
  projectId: string,
  id: string,
): Promise<void> {
  await withImport(db, projectId, id, async (tx, row) => {
    requireIdle(row)
    const hasWritten =
      ['done', 'differs'].includes(row.state) || row.failed_state === 'applying' || row.failed_state === 'undoing'
    if (row.cleaned_at !== null) {
      throw conflictProblem(
        'nothing_to_undo',
        'The import can no longer be undone: its records were deleted after 30 days.',
      )
    }
    if (!hasWritten) throw conflictProblem('nothing_to_undo', `The import is ${row.state}, and has stored nothing.`)
    await requireNoOther(tx, projectId, id)
    await queries.updateImport(tx, projectId, id, { ...RESET, state: 'undoing', applied_by: userId })
    await recordImport(tx, actor, projectId, row, 'import.undo')
  })
}

/** @throws {Problem} 404; 409 while it works */
export async function deleteImport(db: Database, actor: AuditActor, projectId: string, id: string): Promise<void> {
  await withImport(db, projectId, id, async (tx, row) => {
    requireIdle(row)
    for (const fileId of (await queries.deleteImportRows(tx, projectId, id)).toSorted()) {
      await insertFileCandidate(tx, projectId, fileId)
    }
    await recordImport(tx, actor, projectId, row, 'import.delete')
  })
}

const recordImport = (
  tx: Database,
  actor: AuditActor,
  projectId: string,
  { id, name, source }: queries.ImportRow,
  action: 'import.apply' | 'import.undo' | 'import.delete',
) =>
  recordAudit(tx, actor, {
    action,
    subject: { kind: 'import', id, name },
    projectId,
    detail: source === null ? {} : { source },
  })

/** @throws {Problem} 404 */
export async function requireImport(db: Database, projectId: string, id: string): Promise<queries.ImportRow> {
  const row = isUuid(id) ? await queries.selectImport(db, projectId, id) : null
  if (row === null) throw notFoundProblem('import')
  return row
}

async function withImport(
  db: Database,
  projectId: string,
  id: string,
  change: (tx: Database, row: queries.ImportRow) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Imports of a project change one after another, so that only one of them writes.
    await requireLockedProject(tx, projectId)
    const row = isUuid(id) ? await queries.selectImport(tx, projectId, id, { lock: true }) : null
    if (row === null) throw notFoundProblem('import')
    await change(tx, row)
  })
}

function requireIdle({ state }: queries.ImportRow): void {
  if (queries.isWorking(state)) {
    throw conflictProblem('import_running', `The import is ${state}. Wait until it is done, or cancel it.`)
  }
}

async function requireNoOther(tx: Database, projectId: string, id: string): Promise<void> {
  if (!(await queries.hasImportThatWrites(tx, projectId, id))) return
  throw conflictProblem(
    'import_running',
    'Another import of this project is being applied or undone. Wait until it is done, or cancel it.',
  )
}

const appliedProblem = () =>
  conflictProblem('import_applied', 'The import was applied already. Import the file again to make another plan.')
