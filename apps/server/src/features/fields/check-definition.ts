import { isDeepStrictEqual } from 'node:util'

import type { FieldTypeName } from '@caseward/contract/field-values'
import {
  type CreateFieldBody,
  type FieldScope,
  type FieldSubject,
  MAX_NUMBER,
  type UpdateFieldBody,
} from '@caseward/contract/fields'
import { INSTANCE_KEY_PREFIX } from '@caseward/contract/instance-fields'
import type { FieldError } from '@caseward/contract/problem'
import { TestResult } from '@caseward/contract/results'
import { Run } from '@caseward/contract/run-schemas'
import { testCaseFields } from '@caseward/contract/test-case-fields'
import { TestCase } from '@caseward/contract/test-case-schemas'

import { invalidProblem } from '../../platform/http/problems.ts'
import { checkValue } from './check-value.ts'
import { type FieldRow, type StoredOption, toDefinition } from './field-definitions.ts'
import type { StoredValue } from './stored-values.ts'

/** A field before it has an id, a number and a place. */
export type NewDefinition = Omit<FieldRow, 'id' | 'number' | 'position'>

/** What each subject has besides: a custom field with such a key could not be told from it. */
const builtInNames: Record<FieldSubject, ReadonlySet<string>> = {
  case: new Set([...Object.keys(TestCase.properties), ...Object.keys(testCaseFields), 'folder', 'owner']),
  result: new Set([...Object.keys(TestResult.properties), 'steps', 'assigned_to']),
  run: new Set(Object.keys(Run.properties)),
}
const subjectNames: Record<FieldSubject, string> = { case: 'test case', result: 'result', run: 'run' }

/** @throws {Problem} 400 with everything that does not fit */
export function toNewDefinition(body: CreateFieldBody, scope: FieldScope): NewDefinition {
  const subject = body.subject ?? 'case'
  const field = applyBody(
    {
      subject,
      key: body.key,
      name: body.name,
      description: '',
      type: body.type,
      is_required: false,
      required_on: null,
      default_value: null,
      options: isSelect(body.type) ? [] : null,
      min_value: null,
      max_value: null,
      decimals: null,
      scope,
      retired_at: null,
    },
    body,
  )
  const errors = [...checkKey(body.key, subject, scope), ...field.errors]
  if (errors.length > 0) throw invalidProblem(errors)
  return field.definition
}

/**
 * Returns a field after a change, and the names of what is different.
 * @throws {Problem} 400 with everything that does not fit
 */
export function toChangedDefinition(before: FieldRow, body: UpdateFieldBody): { field: FieldRow; changed: string[] } {
  const { type } = body
  const errors: FieldError[] =
    type === undefined || type === before.type || nextTypes[before.type] === type
      ? []
      : [{ path: '/type', message: describeNextType(before.type) }]
  const base = type === undefined || errors.length > 0 ? before : { ...before, type }
  const { definition, errors: others } = applyBody(base, body)
  if (errors.length + others.length > 0) throw invalidProblem([...errors, ...others])
  const field: FieldRow = { ...before, ...definition, position: before.position }
  const names = Object.keys(field) as (keyof FieldRow)[]
  const changed = names.filter((name) => !isDeepStrictEqual(field[name], before[name]))
  return { field, changed: changed.map((name) => publicNames[name] ?? name) }
}

const publicNames: Partial<Record<keyof FieldRow, string>> = {
  default_value: 'default',
  min_value: 'min',
  max_value: 'max',
}

/** The type that a field can get, besides its own: each value of the one is a value of the other. */
const nextTypes: Partial<Record<FieldTypeName, FieldTypeName>> = { text: 'long_text', select: 'multi_select' }

function describeNextType(type: FieldTypeName): string {
  const next = nextTypes[type]
  return next === undefined
    ? `cannot change: a field of type ${type} keeps it. Add another field instead`
    : `must be ${next} or stay ${type}. Add another field instead`
}

const isSelect = (type: FieldTypeName): boolean => type === 'select' || type === 'multi_select'

/** Whether no custom field of test cases can have a key. */
export const isReservedKey = (key: string): boolean => checkKey(key, 'case', 'project').length > 0

function checkKey(key: string, subject: FieldSubject, scope: FieldScope): FieldError[] {
  if (builtInNames[subject].has(key)) {
    return [{ path: '/key', message: `is a field that every ${subjectNames[subject]} has` }]
  }
  const isOfInstance = key.startsWith(INSTANCE_KEY_PREFIX)
  if (isOfInstance === (scope === 'instance')) return []
  const message = isOfInstance
    ? `must not begin with ${INSTANCE_KEY_PREFIX}: such keys are for fields of the whole instance`
    : `must begin with ${INSTANCE_KEY_PREFIX}, so that it is not the key of a project's own field`
  return [{ path: '/key', message }]
}

function applyBody<D extends NewDefinition>(
  before: D,
  body: Partial<Pick<CreateFieldBody, 'name'>> & Omit<UpdateFieldBody, 'type' | 'position'>,
): { definition: D; errors: FieldError[] } {
  const { name, description, is_required, required_on, options, min, max, decimals } = body
  const errors = findMisfits(before, body)
  const merged = options === undefined || !isSelect(before.type) ? null : mergeOptions(before.options ?? [], options)
  errors.push(...(merged?.errors ?? []))
  const definition: D = {
    ...before,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(is_required === undefined ? {} : { is_required }),
    ...(required_on === undefined ? {} : { required_on: required_on.length === 0 ? null : [...new Set(required_on)] }),
    ...(merged === null ? {} : { options: merged.options }),
    ...(min === undefined ? {} : { min_value: min }),
    ...(max === undefined ? {} : { max_value: max }),
    ...(decimals === undefined ? {} : { decimals }),
  }
  if (definition.options?.length === 0) errors.push({ path: '/options', message: 'must have at least one option' })
  errors.push(...checkLimits(definition))
  if (errors.length > 0) return { definition, errors }
  return applyDefault(definition, body)
}

/** Errors for properties that fields of the type, or of the subject, do not have. */
function findMisfits(
  { type, subject }: Pick<FieldRow, 'type' | 'subject'>,
  body: Omit<UpdateFieldBody, 'type' | 'position'>,
): FieldError[] {
  const numeric = (['min', 'max', 'decimals'] as const).filter(
    (name) => type !== 'number' && body[name] !== undefined && body[name] !== null,
  )
  const errors = numeric.map((name) => ({ path: `/${name}`, message: 'is only for fields of type number' }))
  if (body.options !== undefined && !isSelect(type)) {
    errors.push({ path: '/options', message: 'is only for fields of type select and multi_select' })
  }
  if (subject !== 'result' && (body.required_on ?? []).length > 0) {
    errors.push({ path: '/required_on', message: 'is only for fields of results: set `is_required`' })
  }
  if (subject === 'result' && body.is_required === true) {
    errors.push({
      path: '/is_required',
      message: 'is not for fields of results: say in `required_on` which statuses need a value',
    })
  }
  if (subject === 'result' && body.default !== undefined && body.default !== null) {
    errors.push({ path: '/default', message: 'is not for fields of results: nobody would see that it was never set' })
  }
  return errors
}

/** Options in their new order. Those that exist keep their numbers; none may be missing, because values may have it. */
function mergeOptions(
  existing: readonly StoredOption[],
  sent: NonNullable<UpdateFieldBody['options']>,
): { options: StoredOption[]; errors: FieldError[] } {
  const byKey = new Map(existing.map((option) => [option.key, option]))
  let lastNumber = Math.max(0, ...existing.map(({ number }) => number))
  const keys = new Set<string>()
  const labels = new Set<string>()
  const errors: FieldError[] = []
  const options = sent.map(({ key, label, is_retired: isRetired }, index): StoredOption => {
    if (keys.has(key)) errors.push({ path: `/options/${index}/key`, message: 'is the key of an earlier option' })
    if (labels.has(label.toLowerCase())) {
      errors.push({ path: `/options/${index}/label`, message: 'is the label of an earlier option' })
    }
    keys.add(key)
    labels.add(label.toLowerCase())
    const known = byKey.get(key)
    if (known === undefined) lastNumber += 1
    const number = known?.number ?? lastNumber
    return { number, key, label, is_retired: isRetired ?? known?.is_retired ?? false }
  })
  const missing = existing.filter(({ key }) => !keys.has(key))
  if (missing.length > 0) {
    const names = missing.slice(0, 10).map(({ key }) => key)
    errors.push({
      path: '/options',
      message: `must contain every option that exists, also ${names.join(', ')}: set \`is_retired\` of what is no longer needed`,
    })
  }
  return { options, errors }
}

function checkLimits({ min_value: min, max_value: max }: NewDefinition): FieldError[] {
  const isTooLong = (value: number | null) => value !== null && Math.abs(value) > MAX_NUMBER
  return [
    ...(isTooLong(min) ? [{ path: '/min', message: 'must have at most 15 digits' }] : []),
    ...(isTooLong(max) ? [{ path: '/max', message: 'must have at most 15 digits' }] : []),
    ...(min !== null && max !== null && min > max ? [{ path: '/max', message: 'must not be less than min' }] : []),
  ]
}

/** Sets the default, and checks that it is still one. */
function applyDefault<D extends NewDefinition>(
  definition: D,
  { default: sent }: Pick<UpdateFieldBody, 'default'>,
): { definition: D; errors: FieldError[] } {
  if (sent === undefined) {
    const used = new Set<StoredValue | null>([definition.default_value].flat())
    const isRetired = definition.options?.some(({ number, is_retired: retired }) => retired && used.has(number))
    const message = 'retires the default: change the default, too'
    return { definition, errors: isRetired === true ? [{ path: '/options', message }] : [] }
  }
  const refuse = (message: string) => ({ definition, errors: [{ path: '/default', message }] })
  if (sent !== null && definition.type === 'user') return refuse('is not possible for fields of type user')
  const checked = checkValue(toDefinition({ ...definition, id: '', number: 0, position: 0 }), sent)
  if ('error' in checked) return refuse(checked.error.message)
  if (checked.retiredOptions !== undefined) return refuse('must not be an option that is retired')
  return { definition: { ...definition, default_value: checked.value }, errors: [] }
}
