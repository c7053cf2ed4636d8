import { type CustomField, writeFieldValue } from '@caseward/case-files/custom-columns'
import { EXPORT_FIELDS } from '@caseward/contract/exports'

import type { Database } from '../../platform/database/connect.ts'
import { type FieldDefinition, presentValue } from '../fields/field-definitions.ts'
import { readFieldsOf } from '../fields/project-fields.ts'
import { type ExportContext, getHeadings, orderColumns } from './export-columns.ts'
import type { ResultRecord } from './result-records.queries.ts'

/** A custom field of results as a column of a file. */
export interface CustomColumn {
  field: FieldDefinition
  heading: string
}

/** Reads the custom fields of results that are in use. */
export async function readCustomColumns(db: Database, projectId: string): Promise<CustomColumn[]> {
  const { list } = await readFieldsOf(db, projectId, 'result')
  const active = list.filter(({ retired_at: retiredAt }) => retiredAt === null)
  const taken = new Map<string, number>()
  for (const name of [...getHeadings(orderColumns(['run', ...EXPORT_FIELDS])), ...active.map((field) => field.name)]) {
    const wanted = name.toLowerCase()
    taken.set(wanted, (taken.get(wanted) ?? 0) + 1)
  }
  // A name that another column has, too, would say nothing.
  return active.map((field) => ({
    field,
    heading: (taken.get(field.name.toLowerCase()) ?? 0) > 1 ? field.key : field.name,
  }))
}

/** The ids of the people that values of records name. */
export const listPeople = (columns: readonly CustomColumn[], records: readonly ResultRecord[]): string[] => {
  const users = columns.filter(({ field }) => field.type === 'user')
  return users.flatMap(({ field: { number } }) =>
    records.flatMap(({ values }) => (typeof values?.[number] === 'string' ? [values[number]] : [])),
  )
}

/** The values of a record as people read them, with options by their labels. */
export function toCustomCells(
  columns: readonly CustomColumn[],
  { values }: ResultRecord,
  { getUserName }: Pick<ExportContext, 'getUserName'>,
): string[] {
  return columns.map(({ field }) => {
    const stored = values?.[field.number]
    const value = stored === undefined ? undefined : presentValue(field, stored)
    if (field.type === 'user') return typeof value === 'string' ? getUserName(value) || value : ''
    return writeFieldValue(field satisfies CustomField, value, { fields: [], people: [] })
  })
}
