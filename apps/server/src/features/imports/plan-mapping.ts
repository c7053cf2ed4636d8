import { findFieldOfHeading } from '@caseward/case-files/custom-columns'
import { type FieldTypeName, MAX_ACTIVE_FIELDS, MAX_FIELDS, MAX_OPTIONS } from '@caseward/contract/field-values'
import { type Field, MAX_LABEL_LENGTH } from '@caseward/contract/fields'
import type { ImportField, ImportValue } from '@caseward/contract/import-plan-schemas'
import type { ImportSettings } from '@caseward/contract/import-settings'
import { mapPriority, mapStatus, mapType } from '@caseward/importers/map-values'
import { cleanName } from '@caseward/matching/clean-name'

import { isName } from '../../platform/http/text-formats.ts'
import { isReservedKey } from '../fields/check-definition.ts'
import type { FieldDefinition, ProjectFields } from '../fields/field-definitions.ts'
import { type FieldStatistics, REFERENCES_FIELD } from '@caseward/importers/read-statistics'
import type { ImportReading } from './import-summary.ts'

/** The types of custom fields that values of a source can become. */
export type TargetType = 'text' | 'long_text' | 'select'

/** A field whose cells are read as Caseward has written them. */
export interface CellDefinition {
  field: Pick<Field, 'key' | 'name' | 'type' | 'options'>
  people: readonly { id: string; name: string }[]
}

/** What a field of the source becomes. */
export type FieldTarget =
  | { to: 'details' | 'ignore' }
  | {
      to: 'field'
      key: string
      name: string
      type: FieldTypeName
      /** Of a sheet of Caseward; null for other tools. */
      definition: CellDefinition | null
      /** Whether the field is created. */
      isNew: boolean
      /** Of a select, the labels that it has or gets, in lower case. */
      labels: Set<string>
      /** Options that are added. */
      added: string[]
    }

/** What values of the source become. */
export interface Mapping {
  fields: Map<string, FieldTarget>
  priorities: Map<string, string>
  types: Map<string, string>
  /** What statuses of results become, and which of them have no known meaning. */
  statuses: Map<string, string>
  unknownStatuses: ReadonlySet<string>
  /** Like `signature`, for runs. */
  statusSignature: string
  idPattern: string | null
  archivesDeprecated: boolean
  /** What is shown of it. */
  shownFields: ImportField[]
  shownValues: ImportValue[]
  /** Whether it creates fields or options. */
  needsSettings: boolean
  /** The same for the same choices: a digest of a record and of this tells whether something changed. */
  signature: string
}

/** A list of options is easier to use than texts, when values repeat. */
const MAX_SUGGESTED_OPTIONS = 50
const MAX_TEXT_LENGTH = 1000
const MAX_LONG_TEXTS = 5

/** Works out what values of a source become: as chosen, else as suggested. */
export function resolveMapping(
  reading: ImportReading,
  settings: ImportSettings,
  {
    system,
    fields,
    canCreate,
    people = [],
  }: { system: string; fields: ProjectFields; canCreate: boolean; people?: CellDefinition['people'] },
): Mapping {
  const idPattern = settings.id_pattern?.includes('{id}') === true ? settings.id_pattern : null
  const statistics =
    reading.issueIdCount > 0 && idPattern === null && !reading.fields.some(({ name }) => name === REFERENCES_FIELD)
      ? [
          ...reading.fields,
          {
            name: REFERENCES_FIELD,
            filled: reading.issueIdCount,
            values: [],
            longest: MAX_TEXT_LENGTH,
            hasLines: false,
          } as FieldStatistics,
        ]
      : reading.fields
  const ownPeople = system === 'caseward' ? people : null
  const targets = resolveFields(statistics, settings, fields, canCreate, ownPeople)
  const priorities = resolveValues(reading.priorities, settings.priorities ?? [], (word) => mapPriority(system, word))
  const types = resolveValues(reading.types, settings.types ?? [], mapType)
  const statuses = resolveValues(reading.statuses ?? [], settings.statuses ?? [], mapStatus)
  const shownValues: ImportValue[] = [
    ...priorities.map((value) => ({ ...value, field: 'priority' as const, to: value.to ?? 'medium' })),
    ...types.map((value) => ({ ...value, field: 'type' as const, to: value.to ?? 'other' })),
    ...statuses.map((value) => ({ ...value, field: 'status' as const, to: value.to ?? 'not_tested' })),
  ]
  const shownFields = statistics.map(({ name, filled, values }): ImportField => ({
    name,
    filled,
    distinct: values.length,
    samples: values.slice(0, 3).map((value) => value.slice(0, 200)),
    to: presentTarget(targets.get(name)),
  }))
  const archivesDeprecated = settings.deprecated !== 'keep'
  const needsSettings = [...targets.values()].some(
    (target) => target.to === 'field' && (target.isNew || target.added.length > 0),
  )
  const keys = [...targets].map(([name, target]) => [name, target.to === 'field' ? target.key : target.to])
  return {
    fields: targets,
    priorities: new Map(priorities.map(({ from, to }) => [from, to ?? 'medium'])),
    types: new Map(types.map(({ from, to }) => [from, to ?? 'other'])),
    statuses: new Map(statuses.map(({ from, to }) => [from, to ?? 'not_tested'])),
    unknownStatuses: new Set(statuses.filter(({ from }) => mapStatus(from) === null).map(({ from }) => from)),
    statusSignature: JSON.stringify(toPairs(statuses)),
    idPattern,
    archivesDeprecated,
    shownFields,
    shownValues,
    needsSettings,
    signature: JSON.stringify([keys, toPairs(priorities), toPairs(types), idPattern, archivesDeprecated]),
  }
}

const toPairs = (values: readonly { from: string; to: string | null }[]) => values.map(({ from, to }) => [from, to])

const presentTarget = (target: FieldTarget | undefined): string => {
  if (target === undefined) return 'details'
  return target.to === 'field' ? `${target.isNew ? 'new' : 'field'}:${target.key}` : target.to
}

function resolveValues(
  counts: readonly [string, number][],
  chosen: readonly { from: string; to: string }[],
  map: (word: string) => string | null,
) {
  const byWord = new Map(chosen.map(({ from, to }) => [from.trim().toLowerCase(), to]))
  return counts.map(([from, count]) => {
    const to = byWord.get(from.toLowerCase()) ?? map(from)
    return { from, to, count, is_known: to !== null }
  })
}

function resolveFields(
  statistics: readonly FieldStatistics[],
  settings: ImportSettings,
  { list }: ProjectFields,
  canCreate: boolean,
  ownPeople: CellDefinition['people'] | null,
): Map<string, FieldTarget> {
  const active = list.filter(({ retired_at: at }) => at === null)
  const taken = new Set(list.map(({ key }) => key))
  let room = Math.min(MAX_ACTIVE_FIELDS - active.length, MAX_FIELDS - list.length)
  let longRoom = MAX_LONG_TEXTS - active.filter(({ type }) => type === 'long_text').length
  const chosen = new Map((settings.fields ?? []).map(({ name, to }) => [name, to]))
  const targets = new Map<string, FieldTarget>()
  for (const field of statistics) {
    const choice = chosen.get(field.name)
    if (choice === 'details' || choice === 'ignore') {
      targets.set(field.name, { to: choice })
      continue
    }
    const ownKey = ownPeople === null ? undefined : findFieldOfHeading(field.name, active)?.key
    const own = active.find(({ key }) => key === ownKey)
    if (own !== undefined && ownPeople !== null) {
      targets.set(field.name, toOwnTarget(own, ownPeople))
      continue
    }
    const known = findField(active, field.name, choice)
    if (known !== null) {
      // The options of a field of the instance are not for a project to add.
      targets.set(field.name, toKnownTarget(known, field, canCreate && known.scope === 'project'))
      continue
    }
    const type = suggestType(field)
    if (!canCreate || room <= 0 || (type === 'long_text' && longRoom <= 0)) {
      targets.set(field.name, { to: 'details' })
      continue
    }
    room -= 1
    if (type === 'long_text') longRoom -= 1
    const key = suggestKey(field.name, taken)
    taken.add(key)
    const added = type === 'select' ? field.values : []
    const labels = new Set(added.map((label) => label.toLowerCase()))
    targets.set(field.name, {
      to: 'field',
      key,
      name: toFieldName(field.name),
      type,
      definition: null,
      isNew: true,
      labels,
      added,
    })
  }
  return targets
}

/** Custom fields of other types keep what people have set: values of a source would not fit. */
const isTargetType = (type: string): type is TargetType => ['text', 'long_text', 'select'].includes(type)

function findField(
  active: readonly FieldDefinition[],
  name: string,
  choice: string | undefined,
): FieldDefinition | null {
  const key = /^(?:field|new):(.+)$/.exec(choice ?? '')?.[1]
  const words = toFieldName(name).toLowerCase()
  const found =
    active.find((field) => field.key === key) ??
    active.find((field) => field.name.toLowerCase() === words) ??
    active.find((field) => field.key === toKey(name))
  return found !== undefined && isTargetType(found.type) ? found : null
}

const toOwnTarget = (
  { key, name, type, options }: FieldDefinition,
  people: CellDefinition['people'],
): Extract<FieldTarget, { to: 'field' }> => ({
  to: 'field',
  key,
  name,
  type,
  definition: { field: { key, name, type, options }, people },
  isNew: false,
  labels: new Set(),
  added: [],
})

function toKnownTarget(
  { key, name, type, options }: FieldDefinition,
  statistics: FieldStatistics,
  canCreate: boolean,
): FieldTarget {
  if (!isTargetType(type)) return { to: 'details' }
  const inUse = (options ?? []).filter(({ is_retired: isRetired }) => !isRetired)
  const labels = new Set(inUse.map(({ label }) => label.toLowerCase()))
  const all = new Set((options ?? []).map(({ label }) => label.toLowerCase()))
  const missing =
    type === 'select' && canCreate
      ? statistics.values.filter((value) => isLabel(value) && !all.has(value.toLowerCase()))
      : []
  const added = missing.slice(0, Math.max(0, MAX_OPTIONS - (options ?? []).length))
  for (const label of added) labels.add(label.toLowerCase())
  return { to: 'field', key, name, type, definition: null, isNew: false, labels, added }
}

const isLabel = (value: string): boolean => value !== '' && value.length <= MAX_LABEL_LENGTH && isName(value)

function suggestType({ filled, values, longest, hasLines }: FieldStatistics): TargetType {
  const repeats = values.length > 0 && values.length <= MAX_SUGGESTED_OPTIONS && filled >= 2 * values.length
  const areDifferent = new Set(values.map((value) => value.toLowerCase())).size === values.length
  if (repeats && areDifferent && longest <= MAX_LABEL_LENGTH && values.every(isLabel)) return 'select'
  return hasLines || longest > MAX_TEXT_LENGTH ? 'long_text' : 'text'
}

/** Names of custom fields are one line of up to 255 characters. */
function toFieldName(name: string): string {
  const words = cleanName(name.replaceAll(/[_\s]+/g, ' ')).trim()
  const text = words === '' ? 'Field' : words.slice(0, 100)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const MAX_KEY_LENGTH = 40

function toKey(name: string): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const key = letters
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '')
    .slice(0, MAX_KEY_LENGTH)
  return key === '' ? 'field' : key
}

function suggestKey(name: string, taken: ReadonlySet<string>): string {
  const base = toKey(name)
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `_${count}`
    const key = base.slice(0, MAX_KEY_LENGTH - suffix.length) + suffix
    if (!taken.has(key) && !isReservedKey(key)) return key
  }
}
