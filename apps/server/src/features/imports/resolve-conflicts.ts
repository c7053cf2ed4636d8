import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { conflictProblem } from '../../platform/http/problems.ts'
import type { AuditActor } from '../audit/record-audit.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import { readFields } from '../fields/project-fields.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { compareCase, selectCurrentCases, toTexts } from './compare-case.ts'
import { digestTexts } from './compare-texts.ts'
import { requireImport } from './change-imports.ts'
import { countActions, countLosses, type DoneRecord, markDone, type WaitingRecord } from './import-records.queries.ts'
import { type ImportRow, updateImport } from './imports.queries.ts'
import type { WaitingCase } from './plan-case.ts'
import { adaptPlanned } from './planned-values.ts'
import { saveLinks, selectLinks, type SourceLink, toKeyDigest } from './source-links.queries.ts'
import { type ChangedCase, writeChanges } from './update-planned-cases.ts'

/** So many test cases take less than a second. */
const BATCH = 200
const LOSS = 'conflict_kept'

interface Decision {
  use: 'source' | 'current'
  /** Of the records; null for all conflicts. */
  recordIds: readonly number[] | null
}

/**
 * Decides about test cases that were changed here and in the source, in batches. Sent again, it goes on with those that are left.
 * @throws {Problem} 404; 409 for an import that was not applied, or whose records were deleted
 */
export async function resolveConflicts(
  db: Database,
  project: ProjectRef,
  importId: string,
  { author, actor }: { author: CaseAuthor; actor: AuditActor },
  { use, recordIds }: Decision,
): Promise<void> {
  const row = await requireImport(db, project.id, importId)
  requireDecidable(row)
  for (let after = 0; ;) {
    const last = await transactionWithRowMutex(db, project.id, async (tx) => {
      const locked = await requireLockedProject(tx, project.id)
      // Someone may have undone it meanwhile.
      requireDecidable(await requireImport(tx, project.id, importId))
      const records = await selectConflicts(tx, project.id, importId, { recordIds, after })
      if (records.length === 0) return null
      const context = {
        claim: { projectId: project.id, id: importId },
        project,
        source: { system: row.system ?? '', source: row.source ?? '' },
        format: row.format ?? '',
        author,
        actor,
        fieldsVersion: locked.fields_version,
        lastNumber: locked.last_test_case_number,
      }
      await decide(tx, context, records, use)
      return records.at(-1)?.seq ?? null
    })
    if (last === null) break
    after = last
  }
  await updateCounts(db, project.id, importId)
}

function requireDecidable({ state, cleaned_at: cleanedAt }: ImportRow): void {
  if (!['done', 'differs'].includes(state)) {
    throw conflictProblem('not_applied', `The import is ${state}. Conflicts are decided once it was applied.`)
  }
  if (cleanedAt !== null) {
    throw conflictProblem('not_applied', 'The records of the import were deleted after 30 days. Import the file again.')
  }
}

async function selectConflicts(
  tx: Database,
  projectId: string,
  importId: string,
  { recordIds, after }: { recordIds: readonly number[] | null; after: number },
): Promise<WaitingRecord<WaitingCase>[]> {
  const { rows } = await sql<WaitingRecord<WaitingCase>>`${plannedAnew}
    select seq, key, action, planned, target, losses from import_records
    where project_id = ${projectId} and import_id = ${importId} and kind = 'case' and action = 'conflict' and seq > ${after}
      ${recordIds === null ? sql`` : sql`and seq = any(${`{${recordIds.join(',')}}`}::int[])`}
    order by seq limit ${BATCH}`.execute(tx)
  return rows
}

async function decide(
  tx: Database,
  context: Parameters<typeof writeChanges>[1],
  records: readonly WaitingRecord<WaitingCase>[],
  use: Decision['use'],
): Promise<void> {
  const { project, source, claim, format } = context
  const fields = await readFields(tx, project.id, context.fieldsVersion)
  await adaptPlanned(tx, project.id, fields, records)
  const numbers = records.map(({ target }) => Number(target))
  const current = await selectCurrentCases(tx, project.id, fields, numbers, { lock: true })
  const digests = records.map(({ planned }) => toKeyDigest(planned.source_key))
  const links = await selectLinks(tx, project.id, source, 'case', digests)
  const [done, saved, changes]: [DoneRecord[], SourceLink[], ChangedCase[]] = [[], [], []]
  for (const record of records) {
    const { seq, planned, target } = record
    const losses = record.losses.filter((code) => code !== LOSS)
    const [now, link] = [current.get(Number(target)), links.get(toKeyDigest(planned.source_key))]
    if (now === undefined || link === undefined) {
      done.push({ seq, action: 'deleted_here', target, losses, changed: [] })
      continue
    }
    const { changed, conflicts } = compareCase(planned, now, link, { isSameFormat: link.format === format })
    const taken = use === 'source' ? [...changed, ...conflicts] : []
    if (taken.length > 0) changes.push({ record, current: now, changed: taken })
    done.push({ seq, action: taken.length > 0 ? 'update' : 'unchanged', target, losses, changed: taken })
    // Whatever was decided, the source has said it: the next import compares with it.
    const known = digestTexts(toTexts(planned))
    saved.push({ ...link, format, raw_digest: planned.raw_digest, field_digests: { ...link.field_digests, ...known } })
  }
  await writeChanges(tx, context, fields, changes)
  await saveLinks(tx, project.id, source, 'case', claim.id, saved)
  await markDone(tx, claim, done)
}

/** The report says what happened to each record. */
async function updateCounts(db: Database, projectId: string, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await requireLockedProject(tx, projectId)
    const { planning } = await requireImport(tx, projectId, id)
    if (planning === null) return
    const claim = { projectId, id }
    const left = (await countLosses(tx, claim, 5)).find(({ code }) => code === LOSS)
    await updateImport(tx, projectId, id, {
      planning: {
        ...planning,
        actions: await countActions(tx, claim),
        losses: planning.losses.flatMap((loss) =>
          loss.code !== LOSS
            ? [loss]
            : left === undefined
              ? []
              : [{ ...loss, count: left.count, examples: left.examples }],
        ),
      },
    })
  })
}
