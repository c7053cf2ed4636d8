import { MAX_ACTIVE_FIELDS, MAX_FIELDS } from '@caseward/contract/field-values'
import type { CreateFieldBody, Field, UpdateFieldBody } from '@caseward/contract/fields'
import { v7 as uuidv7 } from 'uuid'

import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { conflictProblem, notFoundProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { toNewDefinition, toChangedDefinition } from './check-definition.ts'
import type { FieldRow } from './field-definitions.ts'
import * as queries from './fields.queries.ts'

/*
 * Changes of the fields of a project, one at a time: all lock the project. Creating test cases changes its row, too, and so never
 * meets half of a change.
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
  projectId: string,
  body: CreateFieldBody,
): Promise<Field> {
  const field = toNewDefinition(body)
  return await withFields(db, projectId, async (tx, fields) => {
    if (fields.some(({ key }) => key === body.key)) throw keyTakenProblem(body.key)
    requireRoom(fields)
    if (field.type === 'long_text') requireRoomForLongText(fields)
    if (fields.length >= MAX_FIELDS) {
      throw tooManyFieldsProblem(`There are ${MAX_FIELDS} fields with retired ones. Delete one that is retired first.`)
    }
    const number = await queries.countFieldChange(tx, projectId, 1)
    if (number > MAX_NUMBER)
      throw tooManyFieldsProblem(`This project has had ${MAX_NUMBER} fields, the most it can have.`)
    const created: FieldRow = { ...field, id: uuidv7(), number, position: getActive(fields).length + 1 }
    try {
      await queries.saveCaseField(tx, projectId, created)
    } catch (error) {
      throw violatesConstraint(error, 'custom_fields_project_id_subject_key_key') ? keyTakenProblem(body.key) : error
    }
    await record(tx, actor, projectId, created, 'field.create', { key: created.key, type: created.type })
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
  projectId: string,
  id: string,
  body: UpdateFieldBody,
): Promise<Field> {
  return await withFields(db, projectId, async (tx, fields) => {
    const before = requireField(fields, id)
    const { field, changed } = toChangedDefinition(before, body)
    if (field.type === 'long_text' && before.type !== 'long_text') requireRoomForLongText(fields)
    const order = before.retired_at === null ? moveTo(getActive(fields), before, body.position) : null
    if (changed.length === 0 && order === null) return queries.presentField(before)
    await queries.countFieldChange(tx, projectId, 0)
    await queries.saveCaseField(tx, projectId, field)
    if (order !== null) await queries.updatePositions(tx, projectId, order)
    const names = order === null ? changed : [...changed, 'position']
    await record(tx, actor, projectId, field, 'field.update', { changed: names })
    const position = order === null ? field.position : order.indexOf(id) + 1
    return queries.presentField({ ...field, position })
  })
}

/** Takes a field out of use. @throws {Problem} 404 */
export async function retireField(db: Database, actor: AuditActor, projectId: string, id: string): Promise<Field> {
  return await withFields(db, projectId, async (tx, fields) => {
    const field = requireField(fields, id)
    if (field.retired_at !== null) return queries.presentField(field)
    const retired = { ...field, retired_at: new Date() }
    await queries.countFieldChange(tx, projectId, 0)
    await queries.saveCaseField(tx, projectId, retired)
    const others = getActive(fields).filter((other) => other.id !== id)
    await queries.updatePositions(
      tx,
      projectId,
      others.map((other) => other.id),
    )
    await record(tx, actor, projectId, retired, 'field.retire', { key: field.key })
    return queries.presentField(retired)
  })
}

/** Brings a retired field back into use, after the others. @throws {Problem} 404; 422 for too many fields */
export async function restoreField(db: Database, actor: AuditActor, projectId: string, id: string): Promise<Field> {
  return await withFields(db, projectId, async (tx, fields) => {
    const field = requireField(fields, id)
    if (field.retired_at === null) return queries.presentField(field)
    requireRoom(fields)
    if (field.type === 'long_text') requireRoomForLongText(fields)
    const restored = { ...field, retired_at: null, position: getActive(fields).length + 1 }
    await queries.countFieldChange(tx, projectId, 0)
    await queries.saveCaseField(tx, projectId, restored)
    await record(tx, actor, projectId, restored, 'field.restore', { key: field.key })
    return queries.presentField(restored)
  })
}

/**
 * Deletes a retired field. Its values are gone for everyone at once; a job removes them from the test cases.
 * @throws {Problem} 404; 409 for a field that is in use
 */
export async function deleteField(db: Database, actor: AuditActor, projectId: string, id: string): Promise<void> {
  await withFields(db, projectId, async (tx, fields) => {
    const field = requireField(fields, id)
    if (field.retired_at === null) {
      throw conflictProblem('field_in_use', `The field ${field.name} is in use. Retire it before you delete it.`)
    }
    await queries.countFieldChange(tx, projectId, 0)
    await queries.deleteCaseField(tx, projectId, field)
    await record(tx, actor, projectId, field, 'field.delete', { key: field.key, type: field.type })
  })
}

async function withFields<T>(
  db: Database,
  projectId: string,
  change: (tx: Database, fields: readonly FieldRow[]) => Promise<T>,
): Promise<T> {
  return await db.transaction().execute(async (tx) => {
    await requireLockedProject(tx, projectId)
    return await change(tx, await queries.selectCaseFields(tx, projectId))
  })
}

function requireField(fields: readonly FieldRow[], id: string): FieldRow {
  const field = fields.find((candidate) => candidate.id === id)
  if (field === undefined) throw notFoundProblem('field')
  return field
}

const getActive = (fields: readonly FieldRow[]): FieldRow[] => fields.filter(({ retired_at: at }) => at === null)

/** The ids of fields in use when one has come to another place; null if it stays where it is. */
function moveTo(fields: readonly FieldRow[], { id }: FieldRow, position: number | undefined): string[] | null {
  const ids = fields.map((field) => field.id)
  if (position === undefined) return null
  const others = ids.filter((other) => other !== id)
  const moved = others.toSpliced(position - 1, 0, id)
  return moved.every((other, index) => other === ids[index]) ? null : moved
}

function requireRoom(fields: readonly FieldRow[]): void {
  if (getActive(fields).length < MAX_ACTIVE_FIELDS) return
  throw tooManyFieldsProblem(`There are ${MAX_ACTIVE_FIELDS} fields in use. Retire one of them first.`)
}

/** Long texts can take the most space. */
const MAX_LONG_TEXTS = 5

function requireRoomForLongText(fields: readonly FieldRow[]): void {
  if (getActive(fields).filter(({ type }) => type === 'long_text').length < MAX_LONG_TEXTS) return
  throw tooManyFieldsProblem(`There are ${MAX_LONG_TEXTS} fields of type long_text in use. Retire one of them first.`)
}

const tooManyFieldsProblem = (detail: string) => unprocessableProblem('too_many_fields', detail)

const keyTakenProblem = (key: string) =>
  conflictProblem('key_taken', `This project has another field with the key ${key}, which may be retired.`, [
    { path: '/key', message: 'is the key of another field of this project' },
  ])

type Action = 'field.create' | 'field.update' | 'field.retire' | 'field.restore' | 'field.delete'

async function record(
  tx: Database,
  actor: AuditActor,
  projectId: string,
  { id, name }: FieldRow,
  action: Action,
  detail: Record<string, unknown>,
): Promise<void> {
  await recordAudit(tx, actor, { action, subject: { kind: 'field', id, name }, projectId, detail })
}
