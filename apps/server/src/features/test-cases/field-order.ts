import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalidFieldProblem, type Problem, unprocessableProblem } from '../../platform/http/problems.ts'
import { hasAllValues } from '../fields/case-field-values.queries.ts'
import { describeUnknownField, invalidValuesProblem } from '../fields/check-values.ts'
import type { FieldDefinition } from '../fields/field-definitions.ts'
import { readFields } from '../fields/project-fields.ts'
import { hasFewTestCases } from './few-test-cases.ts'
import { formatTestCaseId, parseTestCaseNumber } from './test-case-ids.ts'

/** The order of a list by a custom field: test cases without a value come last, equal ones by number. */
export interface FieldOrder {
  field: number
  isDescending: boolean
  /** The numbers of the options of a select in the order of the list; null for numbers and dates. */
  options: readonly number[] | null
  /** Whether `case_field_values` has all values of the project. */
  isStored: boolean
}

/** The last test case of a page. */
export interface FieldCursor {
  /** Null without a value. */
  value: number | null
  number: number
}

const SORT = /^(-?)field\.(.+)$/s

const invalidSort = (message: string): Problem => invalidFieldProblem('/sort', message)

/**
 * Reads `sort` of a query; undefined if it is not by a custom field.
 * @throws {Problem} 400 for an unknown field, or one without an order; 422 `filter_too_broad`
 */
export async function readFieldOrder(
  db: Database,
  project: ProjectRef,
  query: { sort?: string; folder_id?: string; fields?: string },
): Promise<FieldOrder | undefined> {
  const { sort } = query
  if (sort === undefined) return undefined
  if (sort === 'tree') {
    if (query.fields === 'row') throw invalidSort('can be tree only without `fields=row`')
    return undefined
  }
  const [, minus, key = ''] = SORT.exec(sort) ?? []
  if (minus === undefined) throw invalidSort('must be tree, field.<key> or -field.<key>')
  const fields = await readFields(db, project.id)
  const field = fields.byKey.get(key)
  if (field === undefined) {
    const message = `names ${key}, which ${describeUnknownField(key, fields)}`
    throw invalidValuesProblem([{ path: '/sort', code: 'unknown_field', message }])
  }
  if (!['number', 'date', 'select'].includes(field.type)) {
    throw invalidSort(`names a field of type ${field.type}: only numbers, dates and selects have an order`)
  }
  const isStored = await hasAllValues(db, project.id)
  if (!isStored && !(await hasFewTestCases(db, project, query))) {
    throw unprocessableProblem(
      'filter_too_broad',
      'The values of this project are still being prepared after an upgrade, and it has too many test cases to sort without them. Try again in some hours.',
    )
  }
  const isDescending = minus === '-'
  return { field: field.number, isDescending, options: orderOptions(field, isDescending), isStored }
}

function orderOptions({ options }: FieldDefinition, isDescending: boolean): number[] | null {
  if (options === null) return null
  const numbers = options.map(({ number }) => number)
  return isDescending ? numbers.toReversed() : numbers
}

/** The cursor of a page: `7.5:WEB-12`, or `:WEB-12` for a test case without a value. @param cursor `7.5:12` */
export function formatFieldCursor({ prefix }: ProjectRef, cursor: string): string {
  const [value = '', number = ''] = cursor.split(':')
  return `${value}:${formatTestCaseId(prefix, number)}`
}

/** @throws {Problem} 400 */
export function parseFieldCursor(after: string, { prefix }: ProjectRef, { options }: FieldOrder): FieldCursor {
  const [, text, id = ''] = /^(-?\d+(?:\.\d+)?(?:e[-+]\d+)?)?:(.*)$/s.exec(after) ?? []
  const number = parseTestCaseNumber(id, prefix)
  const value = text === undefined ? null : Number(text)
  const isKnown = value === null || options === null ? Number.isFinite(value ?? 0) : options.includes(value)
  if (number === null || !isKnown) throw invalidFieldProblem('/after', 'must be `next_after` of the previous page')
  return { value, number }
}
