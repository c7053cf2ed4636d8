import { MAX_FIELDS } from '@caseward/contract/field-values'
import type { Field, FieldSubject } from '@caseward/contract/fields'
import type { InstanceField, OfferedField, SetInstanceFieldBody } from '@caseward/contract/instance-fields'

import type { Database } from '../../platform/database/connect.ts'
import { conflictProblem, notFoundProblem } from '../../platform/http/problems.ts'
import type { AuditActor } from '../audit/record-audit.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { recordField } from './change-fields.ts'
import { toChangedDefinition } from './check-definition.ts'
import type { FieldRow } from './field-definitions.ts'
import { keyTakenProblem, requireRoom, requireRoomForLongText, tooManyFieldsProblem } from './field-limits.ts'
import { getActive, moveTo } from './field-order.ts'
import { countFieldChange, presentField, selectFields, selectSubject, updatePositions } from './fields.queries.ts'
import { countUses, type FieldUse, lockInstanceFields, saveUse, selectUse } from './instance-fields.queries.ts'

/*
 * Fields of the instance, as its administrators see them and as projects use them. Their definitions are changed by
 * `change-fields.ts`.
 */

/** Lists the fields of the instance of a subject, and how many projects have each. */
export async function listInstanceFields(db: Database, subject: FieldSubject): Promise<InstanceField[]> {
  const uses = await countUses(db, subject)
  const fields = await selectFields(db, null, subject)
  return fields.map((field) => ({ ...presentField(field), project_count: uses.get(field.id) ?? 0 }))
}

/** Adds to a field of the instance how many projects have it. */
export async function withUses(db: Database, field: Field): Promise<InstanceField> {
  return { ...field, project_count: (await countUses(db, field.subject)).get(field.id) ?? 0 }
}

/** Lists the fields of the instance that a project has or could have. */
export async function listOfferedFields(
  db: Database,
  projectId: string,
  subject: FieldSubject,
): Promise<OfferedField[]> {
  const own = getActive(await selectFields(db, projectId, subject))
  const used = new Map(own.map((field) => [field.id, field]))
  const offered = getActive(await selectFields(db, null, subject))
  return offered.map((field) => ({ ...presentField(used.get(field.id) ?? field), is_used: used.has(field.id) }))
}

/**
 * Switches a field of the instance on or off in a project, and stores what the project decides about it.
 * @throws {Problem} 404; 400 for what does not fit the subject; 409 for a retired field and for a key in use; 422 for too many fields
 */
export async function setInstanceField(
  db: Database,
  actor: AuditActor,
  projectId: string,
  id: string,
  { is_used: isUsed, position, ...decided }: SetInstanceFieldBody,
): Promise<OfferedField> {
  const found = await selectSubject(db, null, id)
  if (found === undefined) throw notFoundProblem('field')
  return await db.transaction().execute(async (tx) => {
    await lockInstanceFields(tx, 'use')
    await requireLockedProject(tx, projectId)
    const definition = (await selectFields(tx, null, found.subject)).find((field) => field.id === id)
    if (definition === undefined) throw notFoundProblem('field')
    const fields = await selectFields(tx, projectId, found.subject)
    const before = await selectUse(tx, projectId, id)
    const wasUsed = before?.switched_off_at === null
    const isSwitchedOn = isUsed && !wasUsed
    if (isSwitchedOn) requireSwitchable(definition, fields)

    const others = getActive(fields).filter((field) => field.id !== id)
    const use = { ...(before ?? unused), ...(isSwitchedOn && { position: others.length + 1 }) }
    const row: FieldRow = { ...definition, ...use, retired_at: null }
    const { field, changed } = toChangedDefinition(row, decided)
    const order = isUsed ? moveTo(toOrder(fields, row), row, position) : null
    const present = ({ switched_off_at: switchedOffAt }: FieldUse, place: number): OfferedField => ({
      ...presentField({ ...field, position: place, retired_at: definition.retired_at ?? switchedOffAt }),
      is_used: isUsed,
    })
    const isUnchanged = isUsed === wasUsed && changed.length === 0 && order === null
    // A field that the project never had leaves no trace when it is switched off.
    if (isUnchanged || (!isUsed && before === undefined)) {
      return present(use, fields.find((known) => known.id === id)?.position ?? use.position)
    }

    const switchedOffAt = isUsed ? null : (before?.switched_off_at ?? new Date())
    const saved: FieldUse = { ...use, ...pickUse(field), switched_off_at: switchedOffAt }
    await countFieldChange(tx, projectId, 0)
    await saveUse(tx, projectId, id, saved)
    if (order !== null) await updatePositions(tx, projectId, order)
    else if (!isUsed) await updatePositions(tx, projectId, toIds(others))
    const action = isUsed === wasUsed ? 'field.update' : isUsed ? 'field.restore' : 'field.retire'
    await recordField(tx, actor, projectId, field, action, {
      key: field.key,
      scope: 'instance',
      ...(action === 'field.update' && { changed: order === null ? changed : [...changed, 'position'] }),
    })
    return present(saved, order === null ? saved.position : order.indexOf(id) + 1)
  })
}

const unused: FieldUse = { is_required: false, required_on: null, position: 1, switched_off_at: null }

const pickUse = ({ is_required, required_on, position }: FieldRow) => ({ is_required, required_on, position })

const toIds = (fields: readonly FieldRow[]): string[] => fields.map(({ id }) => id)

/** The fields in use, with one that may have just been switched on as the last. */
function toOrder(fields: readonly FieldRow[], added: FieldRow): FieldRow[] {
  const active = getActive(fields)
  return active.some(({ id }) => id === added.id) ? active : [...active, added]
}

function requireSwitchable(definition: FieldRow, fields: readonly FieldRow[]): void {
  if (definition.retired_at !== null) {
    throw conflictProblem('field_retired', `The field ${definition.name} is retired in this instance.`)
  }
  if (fields.some(({ id, key }) => key === definition.key && id !== definition.id))
    throw keyTakenProblem(definition.key)
  requireRoom(fields)
  if (definition.type === 'long_text') requireRoomForLongText(fields)
  if (fields.length >= MAX_FIELDS && fields.every(({ id }) => id !== definition.id)) {
    throw tooManyFieldsProblem(`There are ${MAX_FIELDS} fields with retired ones. Delete one that is retired first.`)
  }
}
