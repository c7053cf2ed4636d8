import { MAX_ACTIVE_FIELDS } from '@caseward/contract/field-values'

import type { Database } from '../../platform/database/connect.ts'
import { conflictProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import type { FieldRow } from './field-definitions.ts'
import { getActive } from './field-order.ts'
import { selectFullProjects } from './instance-fields.queries.ts'

/** @throws {Problem} 422 if as many fields are in use as there can be */
export function requireRoom(fields: readonly FieldRow[]): void {
  if (getActive(fields).length < MAX_ACTIVE_FIELDS) return
  throw tooManyFieldsProblem(`There are ${MAX_ACTIVE_FIELDS} fields in use. Retire one of them first.`)
}

/** Long texts can take the most space. */
const MAX_LONG_TEXTS = 5

/** @throws {Problem} 422 if as many long texts are in use as there can be */
export function requireRoomForLongText(fields: readonly FieldRow[]): void {
  if (getActive(fields).filter(({ type }) => type === 'long_text').length < MAX_LONG_TEXTS) return
  throw tooManyFieldsProblem(`There are ${MAX_LONG_TEXTS} fields of type long_text in use. Retire one of them first.`)
}

export const tooManyFieldsProblem = (detail: string) => unprocessableProblem('too_many_fields', detail)

export const keyTakenProblem = (key: string) =>
  conflictProblem('key_taken', `There is another field with the key ${key}, which may be retired.`, [
    { path: '/key', message: 'is the key of another field' },
  ])

/** @throws {Problem} 422 if a project that has a field of the instance would have too many in use */
export async function requireRoomInProjects(tx: Database, field: FieldRow): Promise<void> {
  requireNone(await selectFullProjects(tx, field, MAX_ACTIVE_FIELDS), `${MAX_ACTIVE_FIELDS} fields`)
  if (field.type === 'long_text') await requireRoomForLongTextInProjects(tx, field)
}

/** @throws {Problem} 422 if a project that has a field of the instance would have too many long texts */
export async function requireRoomForLongTextInProjects(tx: Database, field: FieldRow): Promise<void> {
  requireNone(
    await selectFullProjects(tx, field, MAX_LONG_TEXTS, 'long_text'),
    `${MAX_LONG_TEXTS} fields of type long_text`,
  )
}

function requireNone({ count, first }: { count: number; first: string }, used: string): void {
  if (count === 0) return
  const others = count === 1 ? '' : ` and ${count - 1} other project${count === 2 ? '' : 's'}`
  throw tooManyFieldsProblem(
    `${first}${others} already use${count === 1 ? 's' : ''} ${used}. Retire one of them there, or switch this one off there, first.`,
  )
}
