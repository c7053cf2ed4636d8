import type { FieldSubject } from '@caseward/contract/fields'
import type { OwnFieldValue } from '@caseward/importers/records'

import type { Database } from '../../platform/database/connect.ts'
import { checkValues, completeValues, findUnknownUsers } from '../fields/check-values.ts'
import type { ProjectFields } from '../fields/field-definitions.ts'
import { readFieldsOf } from '../fields/project-fields.ts'
import type { StoredValues } from '../fields/stored-values.ts'
import { findTooLarge } from '../fields/values-size.ts'
import { toValueText } from './field-texts.ts'
import type { OwnField } from './plan-own-fields.ts'
import type { PeopleOfSource } from './resolve-people.ts'

/** Values of custom fields of a run or result by the keys of their fields. */
export type PlannedFields = Readonly<Record<string, OwnFieldValue>>

/** Plans values of an export. Those of fields that are not here, or are of another type, are lost. */
export function planFieldValues(
  values: PlannedFields = {},
  fields: ReadonlyMap<string, OwnField>,
  people: Pick<PeopleOfSource, 'findUser'>,
): { fields: PlannedFields | null; isLost: boolean } {
  const all = Object.entries(values)
  const planned = all.flatMap(([key, value]): [string, OwnFieldValue][] => {
    const field = fields.get(key)
    if (field === undefined || toValueText(field.type, field.labels, value) === null) return []
    if (field.type !== 'user') return [[key, value]]
    const user = people.findUser(String(value))
    return user === null ? [] : [[key, user]]
  })
  return { fields: planned.length === 0 ? null : Object.fromEntries(planned), isLost: planned.length < all.length }
}

/** What is stored of planned values. */
interface StoredFields {
  values: StoredValues | null
  /** Whether some are not possible any more: fields and members may have changed since the plan. */
  isLost: boolean
}

/** Converts planned values to what is stored, item by item. Reads nothing without values. */
export async function toStoredFields(
  tx: Database,
  projectId: string,
  subject: FieldSubject,
  items: readonly (PlannedFields | null | undefined)[],
): Promise<StoredFields[]> {
  if (items.every((item) => item === null || item === undefined)) {
    return items.map(() => ({ values: null, isLost: false }))
  }
  const fields = await readFieldsOf(tx, projectId, subject)
  const checked = items.map((item, index) => checkValues(fields, toSent(fields, item ?? {}), `/${index}`))
  const strangers = await findUnknownUsers(
    tx,
    projectId,
    checked.flatMap(({ users }) => users),
  )
  const refused = new Set(strangers.map(({ path }) => path))
  return checked.map(({ changes }, index) => {
    const kept = Object.entries(changes).filter(([number]) => {
      const field = fields.list.find((known) => known.number === Number(number))
      return field !== undefined && !refused.has(`/${index}/${field.key}`)
    })
    const options = { requiresValues: false, addsDefaults: false }
    const { values } = completeValues(fields, Object.fromEntries(kept), '', options)
    const stored = findTooLarge(fields, values, '').length > 0 ? null : values
    const isLost = Object.keys(stored ?? {}).length < Object.keys(items[index] ?? {}).length
    return { values: stored, isLost }
  })
}

/** Converts the planned values of runs or results to what is stored; what is not possible any more is counted. */
export async function storeFields(
  tx: Database,
  projectId: string,
  subject: 'run' | 'result',
  records: readonly {
    planned: { fields?: PlannedFields | null; stored_fields?: StoredValues | null }
    losses: string[]
  }[],
): Promise<void> {
  const stored = await toStoredFields(
    tx,
    projectId,
    subject,
    records.map(({ planned }) => planned.fields),
  )
  for (const [index, { planned, losses }] of records.entries()) {
    planned.stored_fields = stored[index]?.values ?? null
    if (stored[index]?.isLost === true) losses.push(`not_imported:fields_of_${subject}s`)
  }
}

/** As a request sends them, without those of fields that are gone. */
const toSent = ({ byKey }: ProjectFields, values: PlannedFields) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      byKey.has(key) ? [[key, typeof value === 'object' ? [...value] : value] as const] : [],
    ),
  )
