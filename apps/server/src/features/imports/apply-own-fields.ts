import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { AuditActor } from '../audit/record-audit.ts'
import { createField, retireField } from '../fields/change-fields.ts'
import { setInstanceField } from '../fields/instance-fields.ts'
import { type DoneRecord, markDone, selectWaiting } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import type { PlannedField } from './plan-own-fields.ts'

const MAX_AT_ONCE = 600

/**
 * Creates the custom fields that a file defines. Those that are retired come first, so that they need no room among those in use.
 * Begun again, it goes on with those that are not there.
 */
export async function applyOwnFields(db: Database, actor: AuditActor, claim: ClaimedImport): Promise<void> {
  const waiting = await selectWaiting<PlannedField>(db, claim, 'field', MAX_AT_ONCE)
  const ordered = [
    ...waiting.filter(({ planned }) => planned.retired_at !== null),
    ...waiting.filter(({ planned }) => planned.retired_at === null),
  ]
  for (const { seq, planned } of ordered) {
    const done: DoneRecord = { seq, action: 'create', target: null, losses: [] }
    try {
      if (planned.instance_field_id === null) await createOwn(db, actor, claim.projectId, planned)
      else await useField(db, actor, claim.projectId, planned.instance_field_id, planned)
    } catch (error) {
      // Someone has created other fields since the plan, or a server ended after it created this one.
      if (!(error instanceof Problem)) throw error
      if (error.code !== 'key_taken') {
        const loss = planned.instance_field_id === null ? 'not_imported:field' : 'instance_field_missing'
        Object.assign(done, { action: 'not_imported', losses: [loss] })
      }
    }
    await markDone(db, claim, [done])
  }
}

async function createOwn(db: Database, actor: AuditActor, projectId: string, planned: PlannedField): Promise<void> {
  const { id } = await createField(db, actor, projectId, planned.body)
  if (planned.retired_at === null) return
  await retireField(db, actor, projectId, id)
  await keepRetirement(db, projectId, id, planned)
}

/** Switches a field of the instance on, and off again if it was: its values stay. */
async function useField(
  db: Database,
  actor: AuditActor,
  projectId: string,
  id: string,
  { body: { is_required: isRequired, required_on: requiredOn }, retired_at: retiredAt }: PlannedField,
): Promise<void> {
  const decided = {
    ...(isRequired === undefined ? {} : { is_required: isRequired }),
    ...(requiredOn === undefined ? {} : { required_on: requiredOn }),
  }
  await setInstanceField(db, actor, projectId, id, { is_used: true, ...decided })
  if (retiredAt === null) return
  await setInstanceField(db, actor, projectId, id, { is_used: false })
  await sql`
    update project_instance_fields set switched_off_at = ${retiredAt}::timestamptz
    where project_id = ${projectId} and field_id = ${id}`.execute(db)
}

/** A field that was retired long ago was so in the project that is moved. */
async function keepRetirement(
  db: Database,
  projectId: string,
  id: string,
  { retired_at: retiredAt, position }: PlannedField,
): Promise<void> {
  await sql`
    update custom_fields set retired_at = ${retiredAt}::timestamptz, position = ${position}
    where project_id = ${projectId} and id = ${id}`.execute(db)
}
