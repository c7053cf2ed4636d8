import { MAX_STEP_GROUPS, MAX_STEPS, type StepGroup } from '@caseward/contract/steps'
import { PRIORITIES, TEMPLATES, TEST_CASE_TYPES } from '@caseward/contract/test-case-fields'
import { cutText } from '@caseward/matching/note'

import { numberSteps } from '../shared-steps/step-groups.ts'
import { deriveId } from './derive-id.ts'
import type { HistoryContext } from './history-context.ts'
import { type PlannedFields, planFieldValues } from './own-field-values.ts'
import type { FolderTargets } from './plan-folders.ts'
import type { OwnFields } from './plan-own-fields.ts'
import type { SharedTargets } from './plan-shared-steps.ts'
import { toStoredName } from './stored-name.ts'

/** Earlier values of a test case. */
export interface EarlierValues {
  /** By name, without those of custom fields. */
  before: Record<string, unknown>
  /** Those of custom fields by their keys. */
  fields: PlannedFields | null
  /** Keys of custom fields that had no value. */
  empty_fields: string[]
  /** Names of what changed, custom fields as `fields.<key>`; `fields` for those that are gone. */
  changed: string[]
}

/** What values of versions refer to. */
export interface VersionContext extends Pick<HistoryContext, 'people' | 'source'> {
  folders: FolderTargets
  ownFields: OwnFields
  sharedSteps: SharedTargets
}

const MAX_TEXT = 65_536
const MAX_TITLE = 255
const MAX_LIST = 50
const MAX_ESTIMATE = 2_147_483_647
const FIELD_NAME = /^fields\.(.+)$/

type Check = (value: unknown, context: VersionContext) => unknown

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const toText = (value: unknown) => (typeof value === 'string' ? cutText(value, MAX_TEXT) : undefined)
const toWord = (words: readonly string[]) => (value: unknown) => words.find((word) => word === value)
const toTexts = (value: unknown) =>
  Array.isArray(value) && value.length <= MAX_LIST && value.every((item) => typeof item === 'string')
    ? value.map((item: string) => cutText(item, MAX_TEXT))
    : undefined

/** How each value is stored; undefined for what is none. */
const CHECKS: Readonly<Record<string, Check>> = {
  title: (value) => (typeof value === 'string' ? cutText(toStoredName(value, 'Untitled'), MAX_TITLE) : undefined),
  // A folder that was deleted has an id that is none here either.
  folder_id: (value, { folders, source }) => {
    if (typeof value !== 'string') return value === null ? null : undefined
    const id = folders.ids.get(value)
    return id === undefined ? deriveId([source.system, source.source, value]) : id
  },
  priority: toWord(PRIORITIES),
  type: toWord(TEST_CASE_TYPES),
  template: toWord(TEMPLATES),
  precondition: toText,
  expected_result: toText,
  steps: toSteps,
  step_groups: (value, { sharedSteps }) => (value === null ? null : toStepGroups(value, sharedSteps)),
  tags: toTexts,
  automation_keys: toTexts,
  owner_id: (value, { people }) =>
    value === null ? null : typeof value === 'string' ? (people.findUser(value) ?? undefined) : undefined,
  estimate: (value) =>
    value === null || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_ESTIMATE)
      ? value
      : undefined,
  archived: (value) => (typeof value === 'boolean' ? value : undefined),
}

function toSteps(value: unknown) {
  if (!Array.isArray(value) || value.length > MAX_STEPS) return undefined
  const steps = value.flatMap((item: unknown) => {
    const [action, expected] = isObject(item) ? [toText(item['action']), toText(item['expected'])] : []
    return action === undefined || expected === undefined ? [] : [{ action, expected }]
  })
  return steps.length < value.length ? undefined : numberSteps(steps)
}

function toStepGroups(value: unknown, targets: SharedTargets): StepGroup[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_STEP_GROUPS) return undefined
  const isCount = (number: unknown): number is number => Number.isInteger(number) && Number(number) >= 1
  const groups = value.flatMap((item: unknown): StepGroup[] => {
    const group = isObject(item) ? item : {}
    const { first, count, version, title, follows } = group
    const target = targets.get(String(group['shared_step_id']))
    const isPossible = isCount(first) && isCount(count) && isCount(version) && first + count - 1 <= MAX_STEPS
    if (target === undefined || !isPossible || typeof title !== 'string') return []
    const name = toStoredName(title, 'Untitled')
    return [{ shared_step_id: target.id, title: name, version, follows: follows !== false, first, count }]
  })
  return groups.length < value.length ? undefined : groups
}

/** Plans the values of a version. What they refer to is named as it is here, and what is not here is lost. */
export function planEarlierValues(
  before: Readonly<Record<string, unknown>>,
  changed: readonly string[],
  context: VersionContext,
): { values: EarlierValues; isLost: boolean } {
  const kept: Record<string, unknown> = {}
  const sent: Record<string, PlannedFields[string]> = {}
  const emptyFields: string[] = []
  let isLost = false
  for (const [name, value] of Object.entries(before)) {
    const key = FIELD_NAME.exec(name)?.[1]
    if (key !== undefined) {
      if (value === null && context.ownFields.bySubject.case.has(key)) emptyFields.push(key)
      else if (isFieldValue(value)) sent[key] = value
      else isLost = true
      continue
    }
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined
    const stored = check?.(value, context)
    if (stored === undefined) isLost = true
    else kept[name] = stored
  }
  const planned = planFieldValues(sent, context.ownFields.bySubject.case, context.people)
  const known = new Set([...Object.keys(planned.fields ?? {}), ...emptyFields].map((key) => `fields.${key}`))
  const names = changed.flatMap((name) => {
    if (name === 'fields' || (FIELD_NAME.test(name) && !known.has(name))) return ['fields']
    return known.has(name) || Object.hasOwn(CHECKS, name) ? [name] : []
  })
  return {
    values: { before: kept, fields: planned.fields, empty_fields: emptyFields, changed: [...new Set(names)] },
    isLost: isLost || planned.isLost,
  }
}

const isFieldValue = (value: unknown): value is PlannedFields[string] =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string'))
