import { readFieldValue } from '@caseward/case-files/custom-columns'
import type { SimilarTestCase } from '@caseward/contract/duplicates'
import { MAX_LABEL_LENGTH } from '@caseward/contract/fields'
import {
  MAX_AUTOMATION_KEY_LENGTH,
  MAX_AUTOMATION_KEYS,
  MAX_ESTIMATE,
  MAX_TAGS,
  type PRIORITIES,
  type Template,
  type TEST_CASE_TYPES,
} from '@caseward/contract/test-case-fields'
import { isDeprecated } from '@caseward/importers/map-values'
import type { CaseRecord, OwnValues, PreparedCase } from '@caseward/importers/records'
import { cleanName } from '@caseward/matching/clean-name'
import { mapAttachmentIds } from '@caseward/matching/comment-references'
import { cutText } from '@caseward/matching/note'
import { normalizeKey } from '@caseward/matching/normalize-key'

import { distinctKeys } from '../test-cases/automation-keys.ts'
import { formatDataSet, MAX_TABLE_ROWS } from './data-set-table.ts'
import { toValueText } from './field-texts.ts'
import type { FieldTarget, Mapping } from './plan-mapping.ts'
import { planLinks, type PlannedLink } from './plan-links.ts'
import type { OwnFields } from './plan-own-fields.ts'
import { hasWrongTime, type PlannedOwn, planOwnValues } from './plan-own-values.ts'
import { planStepGroups } from './plan-step-groups.ts'
import type { SharedTargets } from './plan-shared-steps.ts'
import { listFieldValues, REFERENCES_FIELD, STATE_FIELD } from '@caseward/importers/read-statistics'

/** What a test case of the source becomes. */
export interface CaseValues {
  title: string
  folder_id: string | null
  priority: (typeof PRIORITIES)[number]
  type: (typeof TEST_CASE_TYPES)[number]
  precondition: string
  steps: { action: string; expected: string }[]
  expected_result: string
  tags: string[]
  estimate: number | null
  owner_id: string | null
  automation_keys: string[]
  archived: boolean
  /** Values of custom fields by their keys; of a select, the label of the option. */
  fields: Record<string, string>
}

export interface PlannedCase extends CaseValues {
  /** What only an export of Caseward says; null for other tools. */
  own: PlannedOwn | null
  template: Template
  links: PlannedLink[]
  details: Record<string, unknown>
}

/** A test case of the plan, as it waits to be written. */
export interface WaitingCase extends PlannedCase {
  /** By which the next import of the source finds it. */
  source_key: string
  /** Its id there, if no other one has it. */
  source_id: string | null
  raw_digest: string
  /** The version that it was compared with; missing if it was not, and in plans of earlier versions. */
  compared_version?: number
  /** Test cases of the project that are like it, if it is created. */
  similar_cases?: SimilarTestCase[]
}

const MAX_TEXT = 65_536
const MAX_ONE_LINE = 1000

interface PlanContext {
  mapping: Mapping
  folderId: string | null
  /** Ids of members by their email address in lower case, their id and, in exports of Caseward, their name. */
  members: ReadonlyMap<string, string>
  own: Pick<Parameters<typeof planOwnValues>[2], 'isSelf' | 'keepsNumber'>
  ownFields: OwnFields
  sharedSteps: SharedTargets
  mapAttachment: (id: string) => string
}

/** Converts a test case of the source to what is stored, and tells what gets lost. */
export function planCase(
  record: CaseRecord,
  prepared: PreparedCase,
  { mapping, folderId, members, own, ownFields, sharedSteps, mapAttachment }: PlanContext,
): { planned: PlannedCase; losses: string[] } {
  const losses: string[] = []
  const details: Record<string, unknown> = {}
  if (prepared.losses.includes('title_cut')) details['title'] = record.title
  const text = (value: string, name: string) => {
    const shown = mapAttachmentIds(value, mapAttachment)
    const cut = cutText(shown, MAX_TEXT)
    if (cut !== shown) losses.push('text_cut')
    if (cut !== shown) details[`${name}_length`] = value.length
    return cut
  }
  const type = mapping.types.get(prepared.type.trim().slice(0, 200)) ?? 'other'
  const priority = mapping.priorities.get(prepared.priority.trim().slice(0, 200)) ?? 'medium'
  noteUnknown(mapping, prepared, losses)
  const tags = planTags(prepared, type, mapping)
  const owner = members.get(record.own?.owner_id ?? '') ?? members.get(prepared.owner.trim().toLowerCase()) ?? null
  if (owner === null && prepared.owner.trim() !== '') {
    details['owner'] = prepared.owner
    losses.push('person_unknown')
  }
  const table = formatDataSet(prepared.data_set)
  if (table !== '') losses.push('data_set_as_table')
  if ((prepared.data_set?.rows.length ?? 0) > MAX_TABLE_ROWS) details['test_data'] = prepared.data_set
  const precondition = [prepared.precondition, table].filter((part) => part !== '').join('\n\n')
  const { links, references } = planLinks(prepared, mapping, losses, details)
  const fields = {
    ...planFields(prepared, references, mapping, losses, details),
    ...planOwnFieldValues(record.own?.fields ?? {}, ownFields, losses, details),
  }
  for (const name of ['created_by', 'created_at', 'updated_by', 'updated_at'] as const) {
    if (prepared[name] !== '' && record.own === undefined) details[name] = prepared[name]
  }
  if (prepared.attachments.length > 0) {
    details['attachments'] = prepared.attachments.map(({ name, url }) =>
      url === undefined ? name : `${name} (${url})`,
    )
    losses.push('attachment_not_in_file')
  }
  const isOwn = record.own !== undefined
  const authors = [record.own?.created_by_id ?? '', record.own?.updated_by_id ?? '']
  if (record.own?.columns === null && authors.some((id) => id !== '' && !members.has(id))) losses.push('author_unknown')
  const { groups: stepGroups, isInlined } = planStepGroups(record.own?.step_groups ?? [], sharedSteps, {
    stepCount: prepared.steps.length,
    isJoined: prepared.steps.length < record.steps.length,
  })
  if (isInlined) losses.push('shared_step_inlined')
  if (record.own !== undefined && hasWrongTime(record.own, [record.created_at, record.updated_at]))
    losses.push('time_missing')
  const planned: PlannedCase = {
    title: cleanName(prepared.title).trim() || 'Untitled',
    folder_id: folderId,
    priority: priority as PlannedCase['priority'],
    type: type as PlannedCase['type'],
    template: prepared.template === 'text' && (isOwn || prepared.steps.length <= 1) ? 'text' : 'steps',
    precondition: text(precondition, 'precondition'),
    steps: prepared.steps.map(({ action, expected }) => ({
      action: text(action, 'action'),
      expected: text(expected, 'expected'),
    })),
    expected_result: text(prepared.expected_result, 'expected_result'),
    tags,
    estimate: planEstimate(prepared.estimate, losses, details),
    owner_id: owner,
    automation_keys: planKeys(prepared.automation_keys, losses, details),
    archived: isOwn ? record.own?.archived_at !== null : mapping.archivesDeprecated && isDeprecated(prepared.state),
    fields,
    links,
    details,
    own:
      record.own === undefined
        ? null
        : planOwnValues(record.own, record, {
            ...own,
            members,
            stepGroups,
            toColumn: (name) => toColumnName(name, mapping),
          }),
  }
  return { planned, losses: [...new Set(losses)] }
}

/** `fields.Severity` of a sheet is `fields.severity` here. */
function toColumnName(name: string, { fields }: Mapping): string {
  const target = name.startsWith('fields.') ? fields.get(name.slice('fields.'.length)) : undefined
  return target?.to === 'field' ? `fields.${target.key}` : name
}

/** Values by the keys of their fields. What does not fit is kept in the details. */
function planOwnFieldValues(
  values: OwnValues['fields'],
  { bySubject }: OwnFields,
  losses: string[],
  details: Record<string, unknown>,
): Record<string, string> {
  const planned: Record<string, string> = {}
  for (const [key, value] of Object.entries(values)) {
    const field = bySubject.case.get(key)
    const text = field === undefined ? null : toValueText(field.type, field.labels, value)
    if (text !== null) planned[key] = text
    else {
      details[key] = value
      losses.push('field_in_details')
    }
  }
  return planned
}

function noteUnknown(mapping: Mapping, { priority, type }: PreparedCase, losses: string[]): void {
  const isUnknown = (field: 'priority' | 'type', word: string) =>
    mapping.shownValues.some((value) => value.field === field && value.from === word.trim() && !value.is_known)
  if (isUnknown('priority', priority) || isUnknown('type', type)) losses.push('value_unknown')
}

/** A type without a counterpart is kept as a tag. */
function planTags({ tags, type: word }: PreparedCase, type: string, mapping: Mapping): string[] {
  const isKnown = mapping.shownValues.some(
    ({ field, from, is_known: known }) => field === 'type' && from === word.trim() && known,
  )
  const clean = tags.map((tag) => tag.trim()).filter((tag) => tag !== '')
  const all = isKnown || type !== 'other' || word.trim() === '' ? clean : [...clean, cutText(`type:${word.trim()}`, 64)]
  return [...new Set(all)].slice(0, MAX_TAGS)
}

function planEstimate(estimate: number | null, losses: string[], details: Record<string, unknown>): number | null {
  if (estimate === null) return null
  const seconds = Math.round(estimate)
  if (seconds >= 1 && seconds <= MAX_ESTIMATE) return seconds
  details['estimate'] = estimate
  losses.push('duration_out_of_range')
  return null
}

function planKeys(sent: readonly string[], losses: string[], details: Record<string, unknown>): string[] {
  const possible = distinctKeys(
    sent
      .map((key) => key.trim())
      .filter((key) => normalizeKey(key) !== '' && Array.from(key).length <= MAX_AUTOMATION_KEY_LENGTH),
  ).slice(0, MAX_AUTOMATION_KEYS)
  if (possible.length < sent.length) {
    losses.push('field_in_details')
    details['automation_keys'] = [...sent]
  }
  return possible
}

function planFields(
  prepared: PreparedCase,
  references: readonly string[],
  { fields }: Mapping,
  losses: string[],
  details: Record<string, unknown>,
): Record<string, string> {
  const planned: Record<string, string> = {}
  const values = listFieldValues(prepared)
  if (references.length > 0) {
    const other = values.find(([name]) => name === REFERENCES_FIELD)
    const joined = [...(other === undefined ? [] : [other[1]]), ...references].join(', ')
    if (other === undefined) values.push([REFERENCES_FIELD, joined])
    else other[1] = joined
  }
  for (const [name, value] of values) {
    const target = fields.get(name)
    if (target?.to === 'ignore') continue
    const fit = target?.to === 'field' ? fitTarget(value, target) : null
    if (target?.to === 'field' && fit !== null) planned[target.key] = fit
    else {
      details[name === STATE_FIELD ? 'state' : name] = value
      losses.push('field_in_details')
    }
  }
  return planned
}

/** A sheet of Caseward writes values of every type; those of other tools only fit texts and options. */
function fitTarget(value: string, { type, labels, definition }: Extract<FieldTarget, { to: 'field' }>): string | null {
  if (definition === null) return fitValue(value.trim(), type, labels)
  const cell = readFieldValue(definition.field, value, { fields: [], people: definition.people })
  if ('errors' in cell || cell.value === null) return null
  return toValueText(
    type,
    new Map((definition.field.options ?? []).map((option) => [option.key, option.label])),
    cell.value,
  )
}

/** Returns a value as a field of the type can have it; null if it cannot. */
function fitValue(value: string, type: string, labels: ReadonlySet<string>): string | null {
  if (type === 'long_text') return Array.from(value).length <= MAX_TEXT ? value : null
  // A line break in a field of one line is a separator.
  const line = value.replaceAll(/\s*[\r\n]+\s*/g, ', ')
  if (type === 'text') return Array.from(line).length <= MAX_ONE_LINE && !/\p{Cc}/u.test(line) ? line : null
  return line.length <= MAX_LABEL_LENGTH && labels.has(line.toLowerCase()) ? line : null
}
