import { MAX_FIELDS } from '@caseward/contract/field-values'
import type { CreateFieldBody, Field, FieldSubject, UpdateFieldBody } from '@caseward/contract/fields'
import { v7 as uuidv7 } from 'uuid'

import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { conflictProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { toNewDefinition, toChangedDefinition } from './check-definition.ts'
import type { FieldRow } from './field-definitions.ts'
import { getActive, moveTo } from './field-order.ts'
import {
  keyTakenProblem,
  requireRoom,
  requireRoomForLongText,
  requireRoomForLongTextInProjects,
  requireRoomInProjects,
  tooManyFieldsProblem,
} from './field-limits.ts'
import * as queries from './fields.queries.ts'
import type { FieldOwner } from './fields.queries.ts'
import { countChangeInProjects, lockInstanceFields, takeInstanceNumber } from './instance-fields.queries.ts'

/*
 * Changes of the fields of a project or of the instance, one at a time: all lock the project, or the fields of the instance. Creating
 * test cases changes the row of the project, too, and so never meets half of a change.
 */

/** The largest number of a field, also of those that were deleted. */
const MAX_NUMBER = 9999

/**
 * Adds a field after the others.
 * @throws {Problem} 400 for what does not fit the type; 409 for a key in use; 422 for too many fields
 */
export async function createField(
  db: Database,
  actor: AuditActor,
  owner: FieldOwner,
  body: CreateFieldBody,
): Promise<Field> {
  const field = toNewDefinition(body, owner === null ? 'instance' : 'project')
  return await withFields(db, owner, field.subject, async (tx, fields) => {
    if (fields.some(({ key }) => key === body.key)) throw keyTakenProblem(body.key)
    requireRoom(fields)
    if (field.type === 'long_text') requireRoomForLongText(fields)
    if (fields.length >= MAX_FIELDS) {
      throw tooManyFieldsProblem(`There are ${MAX_FIELDS} fields with retired ones. Delete one that is retired first.`)
    }
    const number = owner === null ? await takeInstanceNumber(tx) : await queries.countFieldChange(tx, owner, 1)
    if (owner !== null && number > MAX_NUMBER)
      throw tooManyFieldsProblem(`This project has had ${MAX_NUMBER} fields, the most it can have.`)
    const created: FieldRow = { ...field, id: uuidv7(), number, position: getActive(fields).length + 1 }
    try {
      await queries.saveField(tx, owner, created)
    } catch (error) {
      throw violatesConstraint(error, 'custom_fields_project_id_subject_key_key') ? keyTakenProblem(body.key) : error
    }
    await recordField(tx, actor, owner, created, 'field.create', {
      key: created.key,
      type: created.type,
      ...nameSubject(created),
    })
    return queries.presentField(created)
  })
}

/**
 * Changes what is sent.
 * @throws {Problem} 404; 400 for what does not fit the type, or leaves out an option that exists
 */
export async function updateField(
  db: Database,
  actor: AuditActor,
  owner: FieldOwner,
  id: string,
  body: UpdateFieldBody,
): Promise<Field> {
  return await withFieldsBeside(db, owner, id, async (tx, fields) => {
    const before = requireField(fields, id)
    const { field, changed } = toChangedDefinition(before, body)
    if (field.type === 'long_text' && before.type !== 'long_text') {
      requireRoomForLongText(fields)
      if (owner === null) await requireRoomForLongTextInProjects(tx, before)
    }
    const order = before.retired_at === null ? moveTo(getActive(fields), before, body.position) : null
    if (changed.length === 0 && order === null) return queries.presentField(before)
    await countChange(tx, owner, id)
    await queries.saveField(tx, owner, field)
    if (order !== null) await queries.updatePositions(tx, owner, order)
    const names = order === null ? changed : [...changed, 'position']
    await recordField(tx, actor, owner, field, 'field.update', { changed: names })
    const position = order === null ? field.position : order.indexOf(id) + 1
    return queries.presentField({ ...field, position })
  })
}

/** Takes a field out of use. @throws {Problem} 404 */
export async function retireField(db: Database, actor: AuditActor, owner: FieldOwner, id: string): Promise<Field> {
  return await withFieldsBeside(db, owner, id, async (tx, fields) => {
    const field = requireField(fields, id)
    if (field.retired_at !== null) return queries.presentField(field)
    const retired = { ...field, retired_at: new Date() }
    await countChange(tx, owner, id)
    await queries.saveField(tx, owner, retired)
    const others = getActive(fields).filter((other) => other.id !== id)
    await queries.updatePositions(
      tx,
      owner,
      others.map((other) => other.id),
    )
    await recordField(tx, actor, owner, retired, 'field.retire', { key: field.key })
    return queries.presentField(retired)
  })
}

/** Brings a retired field back into use, after the others. @throws {Problem} 404; 422 for too many fields */
export async function restoreField(db: Database, actor: AuditActor, owner: FieldOwner, id: string): Promise<Field> {
  return await withFieldsBeside(db, owner, id, async (tx, fields) => {
    const field = requireField(fields, id)
    if (field.retired_at === null) return queries.presentField(field)
    requireRoom(fields)
    if (field.type === 'long_text') requireRoomForLongText(fields)
    if (owner === null) await requireRoomInProjects(tx, field)
    const restored = { ...field, retired_at: null, position: getActive(fields).length + 1 }
    await countChange(tx, owner, id)
    await queries.saveField(tx, owner, restored)
    await recordField(tx, actor, owner, restored, 'field.restore', { key: field.key })
    return queries.presentField(restored)
  })
}

/**
 * Deletes a retired field. Its values are gone for everyone at once; a job removes them from the test cases.
 * @throws {Problem} 404; 409 for a field that is in use
 */
export async function deleteField(db: Database, actor: AuditActor, owner: FieldOwner, id: string): Promise<void> {
  await withFieldsBeside(db, owner, id, async (tx, fields) => {
    const field = requireField(fields, id)
    if (field.retired_at === null) {
      throw conflictProblem('field_in_use', `The field ${field.name} is in use. Retire it before you delete it.`)
    }
    await countChange(tx, owner, id)
    await queries.deleteField(tx, owner, field)
    await recordField(tx, actor, owner, field, 'field.delete', {
      key: field.key,
      type: field.type,
      ...nameSubject(field),
    })
  })
}

type Change<T> = (tx: Database, fields: readonly FieldRow[]) => Promise<T>

/** Runs a change with all fields of a subject. */
async function withFields<T>(db: Database, owner: FieldOwner, subject: FieldSubject, change: Change<T>): Promise<T> {
  return await db.transaction().execute(async (tx) => {
    if (owner === null) await lockInstanceFields(tx, 'change')
    else await requireLockedProject(tx, owner)
    return await change(tx, await queries.selectFields(tx, owner, subject))
  })
}

/**
 * Runs a change with a field and all others of its subject, which never changes.
 * @throws {Problem} 404; 409 for a field of the instance, which a project cannot change
 */
export async function withFieldsBeside<T>(db: Database, owner: FieldOwner, id: string, change: Change<T>): Promise<T> {
  const found = await queries.selectSubject(db, owner, id)
  if (found === undefined) throw notFoundProblem('field')
  if (owner !== null && found.scope === 'instance') {
    throw conflictProblem(
      'instance_field',
      'This field belongs to the whole instance, whose administrators change it. A project switches it on or off.',
    )
  }
  return await withFields(db, owner, found.subject, change)
}

/** Counts a change of a field in the projects that have it. */
export async function countChange(tx: Database, owner: FieldOwner, id: string): Promise<void> {
  if (owner === null) await countChangeInProjects(tx, id)
  else await queries.countFieldChange(tx, owner, 0)
}

/** For the record of an action: fields of test cases need no name of what they belong to. */
const nameSubject = ({ subject }: FieldRow) => (subject === 'case' ? {} : { subject })

export function requireField(fields: readonly FieldRow[], id: string): FieldRow {
  const field = fields.find((candidate) => candidate.id === id)
  if (field === undefined) throw notFoundProblem('field')
  return field
}

export type FieldAction =
  | 'field.create'
  | 'field.update'
  | 'field.merge_options'
  | 'field.retire'
  | 'field.restore'
  | 'field.delete'

/** Records a change of a field. */
export async function recordField(
  tx: Database,
  actor: AuditActor,
  owner: FieldOwner,
  { id, name }: FieldRow,
  action: FieldAction,
  detail: Record<string, unknown>,
): Promise<void> {
  await recordAudit(tx, actor, {
    action,
    subject: { kind: 'field', id, name },
    ...(owner !== null && { projectId: owner }),
    detail,
  })
}
