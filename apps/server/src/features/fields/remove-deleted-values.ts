import type { FieldSubject } from '@caseward/contract/fields'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import { toSortedValue } from './case-field-values.queries.ts'
import { notifyTestCasesChanged } from '../events/notify-distributed-change.ts'

const BATCH_SIZE = 5000

/** The job that removes the values of deleted fields. Nobody has seen them since the fields were deleted. */
export const deletedFieldsJob: ScheduledJob = {
  name: 'remove_values_of_deleted_fields',
  schedule: '*/5 * * * *',
  async run(db, signal) {
    for (const field of await selectDeletedFields(db)) {
      if (field.subject === 'case') await removeValues(db, field, signal)
      else if (field.subject === 'result') await removeResultValues(db, field, signal)
      else await removeRunValues(db, field)
      await sql`
        delete from deleted_fields
        where project_id = ${field.projectId} and subject = ${field.subject} and number = ${field.number}::smallint`.execute(
        db,
      )
    }
  },
}

interface DeletedField {
  projectId: string
  subject: FieldSubject
  number: number
}

async function selectDeletedFields(db: Database): Promise<DeletedField[]> {
  const { rows } = await sql<DeletedField>`
    select project_id as "projectId", subject, number from deleted_fields limit 1000`.execute(db)
  return rows
}

async function removeValues(db: Database, { projectId, number }: DeletedField, signal: AbortSignal): Promise<void> {
  for (let after = 0; ;) {
    signal.throwIfAborted()
    const last = await removeBatch(db, projectId, number, after)
    if (last === null) break
    after = last
  }
  // Those that were added meanwhile.
  await sql`
    delete from case_field_values where project_id = ${projectId} and field = ${number}::smallint`.execute(db)
}

/** Removes values of some test cases after a number; returns the last number, or null when there is none. */
async function removeBatch(db: Database, projectId: string, number: number, after: number): Promise<number | null> {
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ last: number | null; changed: number[] | null }>`
      with batch as (
        select c.number, c.fields ? ${String(number)} as has_value,
          ${sql.raw(toSortedValue(`c.fields -> '${number}'`))} as value
        from test_cases c where c.project_id = ${projectId} and c.number > ${after}
        order by c.number limit ${sql.lit(BATCH_SIZE)}
      ), removed as (
        update test_cases c set fields = nullif(c.fields - ${String(number)}::text, '{}'), updated_at = statement_timestamp()
        from batch where c.project_id = ${projectId} and c.number = batch.number and batch.has_value
        returning c.number
      ), removed_value as (
        delete from case_field_values v using batch
        where v.project_id = ${projectId} and v.field = ${number}::smallint and v.value = batch.value
          and v.number = batch.number
      )
      select (select max(number) from batch) as last, (select array_agg(number) from removed) as changed`.execute(tx)
    const [row] = rows
    await notifyTestCasesChanged(tx, projectId, row?.changed ?? [])
    return row?.last ?? null
  })
}

/** Removes values of results, run after run. What they were before goes, too. */
async function removeResultValues(
  db: Database,
  { projectId, number }: DeletedField,
  signal: AbortSignal,
): Promise<void> {
  const key = String(number)
  const runs = await db.selectFrom('runs').select('id').where('project_id', '=', projectId).orderBy('id').execute()
  for (const { id } of runs) {
    signal.throwIfAborted()
    await sql`
      update test_results r set fields = nullif(r.fields - ${key}::text, '{}')
      where r.project_id = ${projectId} and r.run_id = ${id} and r.fields ? ${key}`.execute(db)
    await sql`
      update result_changes c set fields = nullif(c.fields - ${key}::text, '{}')
      where c.project_id = ${projectId} and c.run_id = ${id} and c.fields ? ${key}`.execute(db)
  }
}

async function removeRunValues(db: Database, { projectId, number }: DeletedField): Promise<void> {
  const key = String(number)
  await sql`
    update runs r set fields = nullif(r.fields - ${key}::text, '{}')
    where r.project_id = ${projectId} and r.fields ? ${key}`.execute(db)
}
