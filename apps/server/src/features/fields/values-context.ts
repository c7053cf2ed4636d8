import type { FieldSubject } from '@caseward/contract/fields'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TextRow } from '../../platform/database/fast-reads/text-rows.ts'
import { NO_FIELDS, presentValues, type ProjectFields } from './field-definitions.ts'
import { readFieldsOf } from './project-fields.ts'
import type { StoredValues } from './stored-values.ts'

/** What presenting the values of rows needs: the fields, if a row has values. */
export interface ValuesContext {
  fields?: ProjectFields
}

/** Encodes the stored values of a row by the keys of their fields. */
export const encodeValues = (text: string, { fields = NO_FIELDS }: ValuesContext): string =>
  JSON.stringify(presentValues(fields, JSON.parse(text) as StoredValues))

/** Reads the fields of a subject if rows have values in the column with this index: most have none. */
export async function toValuesContext(
  db: Database,
  project: Pick<ProjectRef, 'id'>,
  subject: FieldSubject,
  rows: readonly TextRow[],
  index: number,
): Promise<ValuesContext> {
  const hasValues = rows.some((row) => typeof row[index] === 'string')
  return hasValues ? { fields: await readFieldsOf(db, project.id, subject) } : {}
}
