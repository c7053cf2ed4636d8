import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { describeUnknownField, type FieldValueError, invalidValuesProblem } from '../fields/check-values.ts'
import { joinPredicates, listFilters, type SentFilter, toPredicate } from '../fields/field-predicates.ts'
import { readFieldsOf } from '../fields/project-fields.ts'

/**
 * Reads the filters by custom fields of results of a query, as one predicate of jsonpath; undefined if it has none. Results are
 * read within their run, so that no filter needs an index.
 * @throws {Problem} 400 for unknown fields and options, and values that fields of the type do not have
 */
export function readResultFieldFilters(db: Database, project: ProjectRef, query: object): Promise<string> | undefined {
  const sent = listFilters(query)
  return sent.length === 0 ? undefined : readSentFilters(db, project, sent)
}

async function readSentFilters(db: Database, project: ProjectRef, sent: readonly SentFilter[]): Promise<string> {
  const fields = await readFieldsOf(db, project.id, 'result')
  const errors: FieldValueError[] = []
  const predicates: string[] = []
  for (const filter of sent) {
    const field = fields.byKey.get(filter.key)
    const predicate =
      field === undefined
        ? { error: { code: 'unknown_field' as const, message: describeUnknownField(filter.key, fields) } }
        : toPredicate(field, filter)
    if ('error' in predicate) errors.push({ path: filter.path, ...predicate.error })
    else predicates.push(predicate.text)
  }
  if (errors.length > 0) throw invalidValuesProblem(errors)
  return joinPredicates(predicates)
}
