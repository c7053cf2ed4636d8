import { FIELD_TYPES, MAX_ACTIVE_FIELDS, MAX_FIELDS, MAX_OPTIONS } from '@caseward/contract/field-values'
import {
  type CreateFieldBody,
  FIELD_KEY_PATTERN,
  FIELD_SUBJECTS,
  type FieldSubject,
  MAX_LABEL_LENGTH,
} from '@caseward/contract/fields'
import type { FieldRecord } from '@caseward/importers/records'
import { cleanName } from '@caseward/matching/clean-name'

import type { Database } from '../../platform/database/connect.ts'
import { Problem } from '../../platform/http/problems.ts'
import { parseTimestamp } from '../../platform/http/timestamps.ts'
import { isName } from '../../platform/http/text-formats.ts'
import { toNewDefinition } from '../fields/check-definition.ts'
import type { FieldRow, ProjectFields } from '../fields/field-definitions.ts'
import { getActive } from '../fields/field-order.ts'
import { selectFields } from '../fields/fields.queries.ts'
import { readFieldsOf } from '../fields/project-fields.ts'
import { type PlannedRecord, selectRecords, updatePlannedRecords } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'

/** A custom field that an export of Caseward defines. */
export interface PlannedField {
  body: CreateFieldBody
  /** Of a field that is retired; null for one in use. */
  retired_at: string | null
  position: number
  /** The field of this instance that the project gets instead of one of its own; null for its own. */
  instance_field_id: string | null
}

/** What values of an export can become. */
export interface OwnField {
  type: string
  /** Labels of options by their keys. */
  labels: ReadonlyMap<string, string>
}

export interface OwnFields {
  /** By what has them and their keys. */
  bySubject: Readonly<Record<FieldSubject, ReadonlyMap<string, OwnField>>>
  /** Whether some are created, which needs an admin. */
  needsSettings: boolean
}

/** Plans the custom fields that a file defines: those that are here stay as they are. */
export async function planOwnFields(
  db: Database,
  { claim }: ImportWork,
  { canCreate }: { canCreate: boolean },
): Promise<OwnFields> {
  const { projectId } = claim
  const rows = await selectRecords<FieldRecord>(db, claim, { kind: 'field', after: 0, limit: 3 * MAX_FIELDS })
  const bySubject: Record<FieldSubject, Map<string, OwnField>> = { case: new Map(), result: new Map(), run: new Map() }
  const planned: PlannedRecord[] = []
  const current = new Map<FieldSubject, ProjectFields>()
  const ofInstance = new Map<FieldSubject, ReadonlyMap<string, FieldRow>>()
  const room = new Map<FieldSubject, { active: number; all: number }>()
  for (const subject of FIELD_SUBJECTS) {
    const fields = await readFieldsOf(db, projectId, subject)
    current.set(subject, fields)
    ofInstance.set(subject, await selectOffered(db, rows, subject))
    const active = fields.list.filter(({ retired_at: at }) => at === null).length
    room.set(subject, { active: MAX_ACTIVE_FIELDS - active, all: MAX_FIELDS - fields.list.length })
  }
  for (const { seq, record } of rows) {
    const { action, field, body, instanceFieldId } = decide(record)
    const subject = FIELD_SUBJECTS.find((known) => known === record.subject)
    if (field !== null && subject !== undefined) bySubject[subject].set(record.field_key, field)
    planned.push({
      seq,
      action,
      losses:
        action !== 'not_imported'
          ? []
          : [record.scope === 'instance' ? 'instance_field_missing' : 'not_imported:field'],
      changed: [],
      planned:
        body === null
          ? null
          : ({ body, ...toPlace(record), instance_field_id: instanceFieldId ?? null } satisfies PlannedField),
      place: toPlace(record).position,
      target: null,
      is_done: action !== 'create',
    })
  }
  await updatePlannedRecords(db, claim, planned)
  return { bySubject, needsSettings: planned.some(({ action }) => action === 'create') }

  function decide(record: FieldRecord): {
    action: PlannedRecord['action']
    field: OwnField | null
    body: CreateFieldBody | null
    instanceFieldId?: string
  } {
    const refused = { action: 'not_imported', field: null, body: null } as const
    const subject = FIELD_SUBJECTS.find((known) => known === record.subject)
    const left = subject === undefined ? undefined : room.get(subject)
    if (subject === undefined || left === undefined) return refused
    const existing = current.get(subject)?.byKey.get(record.field_key)
    if (existing !== undefined) {
      if (existing.type !== record.type) return refused
      const labels = new Map((existing.options ?? []).map(({ key, label }) => [key, label]))
      return { action: 'unchanged', field: { type: existing.type, labels }, body: null }
    }
    const offered = ofInstance.get(subject)?.get(record.field_key)
    if (record.scope === 'instance' && offered?.type !== record.type) return refused
    const body = toBody(record, subject)
    if (!canCreate || body === null || left.all <= 0 || (record.retired_at === null && left.active <= 0)) return refused
    left.all -= 1
    if (record.retired_at === null) left.active -= 1
    const isOfInstance = record.scope === 'instance' && offered !== undefined
    const options = isOfInstance ? offered.options : record.options
    const labels = new Map((options ?? []).map(({ key, label }) => [key, label]))
    const field = { type: record.type, labels }
    return { action: 'create', field, body, ...(isOfInstance ? { instanceFieldId: offered.id } : {}) }
  }
}

/** The fields in use of the instance by their keys, if the file has any. */
async function selectOffered(
  db: Database,
  rows: readonly { record: FieldRecord }[],
  subject: FieldSubject,
): Promise<ReadonlyMap<string, FieldRow>> {
  if (!rows.some(({ record }) => record.scope === 'instance' && record.subject === subject)) return new Map()
  return new Map(getActive(await selectFields(db, null, subject)).map((field) => [field.key, field]))
}

const MAX_POSITION = 10_000

const toPlace = ({ retired_at: at, position }: FieldRecord) => ({
  retired_at: at === null ? null : (parseTimestamp(at) ?? new Date()).toISOString(),
  position: Math.min(Math.max(1, Math.round(position)), MAX_POSITION),
})

const KEY = new RegExp(FIELD_KEY_PATTERN)
const MAX_DESCRIPTION = 65_536

/** A definition as a request has it; null if it is none. */
function toBody(record: FieldRecord, subject: FieldSubject): CreateFieldBody | null {
  const type = FIELD_TYPES.find((known) => known === record.type)
  const { description, is_required, default: initial, options, min, max, decimals } = record
  const areKeys = [record.field_key, ...(options ?? []).map(({ key }) => key)].every((key) => KEY.test(key))
  const areNames = (options ?? []).every(({ label }) => isName(label) && label.length <= MAX_LABEL_LENGTH)
  const name = cleanName(record.name).trim().slice(0, 255)
  if (type === undefined || !areKeys || !areNames || name === '' || (options?.length ?? 0) > MAX_OPTIONS) return null
  const body: CreateFieldBody = {
    subject,
    key: record.field_key,
    name,
    type,
    description: description.slice(0, MAX_DESCRIPTION),
    ...(subject === 'result'
      ? { required_on: [...record.required_on] as NonNullable<CreateFieldBody['required_on']> }
      : { is_required }),
    ...(initial === null ? {} : { default: typeof initial === 'object' ? [...initial] : initial }),
    ...(options === null ? {} : { options: options.map((option) => ({ ...option })) }),
    ...(min === null ? {} : { min }),
    ...(max === null ? {} : { max }),
    ...(decimals === null ? {} : { decimals }),
  }
  try {
    toNewDefinition(body, record.scope)
    return body
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}
