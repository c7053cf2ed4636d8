import { type MergedOptions, type MergeOptionsBody, MAX_MERGED_VALUES } from '@caseward/contract/field-merges'
import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalidFieldProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import type { AuditActor } from '../audit/record-audit.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { applyEdits } from '../test-cases/apply-edits.ts'
import { selectValuesOf } from '../test-cases/case-values.queries.ts'
import { lockTestCases } from '../test-cases/change-test-cases.ts'
import { countChange, recordField, requireField, withFieldsBeside } from './change-fields.ts'
import { toChangedDefinition } from './check-definition.ts'
import {
  type FieldDefinition,
  type FieldRow,
  presentValue,
  toDefinition,
  toProjectFields,
} from './field-definitions.ts'
import * as queries from './fields.queries.ts'
import type { StoredValue } from './stored-values.ts'

/**
 * Puts an option in the place of another one in test cases, and retires that, so that nothing new gets it. Locks the project, then
 * the test cases.
 * @throws {Problem} 404; 400 for an option that the field does not have; 409 for a field of the instance; 422 for one that has no
 *   options, or belongs to results or runs
 */
export async function mergeOptions(
  db: Database,
  project: ProjectRef,
  { author, actor }: { author: CaseAuthor; actor: AuditActor },
  id: string,
  { from, into }: MergeOptionsBody,
): Promise<MergedOptions> {
  return await withFieldsBeside(db, project.id, id, async (tx, rows) => {
    const before = requireField(rows, id)
    const definition = toDefinition(before)
    const [earlier, later] = requireOptions(definition, from, into)
    const { field, changed } = toChangedDefinition(before, {
      options: (before.options ?? []).map(({ key, label, is_retired }) => ({
        key,
        label,
        is_retired: is_retired || key === from,
      })),
      ...replaceDefault(definition, from, into),
    })
    if (changed.length > 0) {
      await countChange(tx, project.id, id)
      await queries.saveField(tx, project.id, field)
    }
    const { last_test_case_number: lastNumber, fields_version: version } = await requireLockedProject(tx, project.id)
    const { numbers, count } = await selectUsers(tx, project.id, field, earlier.number)
    const fields = toProjectFields(
      version,
      rows.map((row) => (row.id === id ? field : row)),
    )
    const testCases = await lockTestCases(tx, project.id, numbers)
    const values = await selectValuesOf(tx, project.id, numbers, [String(field.number)])
    const edits = [...testCases.values()].map((testCase) => {
      const current = values.get(testCase.number) ?? {}
      const replaced = replaceOption(definition, current[field.number], earlier.number, later.number)
      return { testCase: { ...testCase, values: current }, fields: {}, values: { [field.number]: replaced } }
    })
    const summary = `Merged “${earlier.label}” of ${field.name} into “${later.label}”`
    const by = { ...author, summary: summary.slice(0, MAX_SUMMARY) }
    const result = await applyEdits(tx, project, { author: by, lastNumber, fields }, edits)
    if (changed.length > 0 || result.updated > 0) {
      const detail = { key: field.key, from, into, test_case_count: result.updated }
      await recordField(tx, actor, project.id, field, 'field.merge_options', detail)
    }
    return {
      field: queries.presentField(field),
      updated: result.updated,
      remaining: count - result.updated,
      before: result.before,
    }
  })
}

/** As many characters as a version can say. */
const MAX_SUMMARY = 500

function requireOptions(field: FieldDefinition, from: string, into: string) {
  const { type, subject, optionsByKey, name } = field
  if (subject !== 'case' || (type !== 'select' && type !== 'multi_select')) {
    throw unprocessableProblem(
      'cannot_merge',
      `Options can be merged in fields of test cases that are selects, and ${name} is none.`,
    )
  }
  const earlier = optionsByKey.get(from)
  const later = optionsByKey.get(into)
  if (earlier === undefined) throw invalidFieldProblem('/from', 'is not an option of this field', 'unknown_option')
  if (later === undefined) throw invalidFieldProblem('/into', 'is not an option of this field', 'unknown_option')
  if (later.is_retired) throw invalidFieldProblem('/into', 'is retired: restore the option first', 'unknown_option')
  if (from === into) throw invalidFieldProblem('/into', 'must be another option')
  return [earlier, later] as const
}

/** A retired option cannot be the default of new test cases. */
function replaceDefault(field: FieldDefinition, from: string, into: string): { default?: string | string[] } {
  const { default_value: stored } = field
  const value = stored === null ? undefined : presentValue(field, stored)
  if (value === from) return { default: into }
  if (!Array.isArray(value) || !value.includes(from)) return {}
  return { default: [...new Set(value.map((key) => (key === from ? into : key)))] }
}

/** A field that became a `multi_select` has single numbers from before, which become lists. */
function replaceOption(
  { type, optionsByNumber }: FieldDefinition,
  value: StoredValue | undefined,
  from: number,
  into: number,
): StoredValue {
  if (type === 'select') return into
  const numbers = [value ?? []].flat().map((number) => (number === from ? into : Number(number)))
  const getPlace = (number: number) => optionsByNumber.get(number)?.place ?? 0
  return [...new Set(numbers)].toSorted((a, b) => getPlace(a) - getPlace(b))
}

/** Selects the first test cases that have an option, and counts all of them. */
async function selectUsers(
  tx: Database,
  projectId: string,
  { number }: FieldRow,
  option: number,
): Promise<{ numbers: number[]; count: number }> {
  const has = (value: StoredValue) => sql`fields @> ${JSON.stringify({ [number]: value })}::jsonb`
  const { rows } = await sql<{ number: number; count: number }>`
    select number, count(*) over ()::int as count from test_cases
    where project_id = ${projectId} and (${has(option)} or ${has([option])})
    order by number limit ${sql.lit(MAX_MERGED_VALUES)}`.execute(tx)
  return { numbers: rows.map((row) => row.number), count: rows[0]?.count ?? 0 }
}
