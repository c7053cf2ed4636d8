import { LIMITS } from './limits.ts'
import type { CaseRecord, ImportRecord, PreparedCase } from './records.ts'
import { DateOrders } from './steps/date-orders.ts'
import { isLocalTime } from './steps/read-time.ts'

/** Columns of times that people write in their own way. */
export type DateColumn = 'result.at' | 'run.created_at' | 'run.completed_at' | 'milestone.start' | 'milestone.due'

/** Values of a field of the source: how many, and which. */
export interface FieldStatistics {
  name: string
  filled: number
  /** Different values, up to one more than a field can have options. */
  values: string[]
  /** The longest value in UTF-16 units. */
  longest: number
  hasLines: boolean
}

/** The most fields, and the most priorities and types, that a file is asked about. */
const MAX_NAMES = 500
/** Of what a file calls a person. */
const MAX_PERSON_LENGTH = 255
/** A key is longer only by mistake. */
const MAX_DUPLICATE_KEYS = 10_000

/** The name of the field for the state of a test case. */
export const STATE_FIELD = 'Status'
/** The name of the field for ids of issues without a pattern. */
export const REFERENCES_FIELD = 'References'

export const isAddress = (target: string): boolean => /^https?:\/\//i.test(target)

/** The values of a test case that need a custom field, by name. */
export function listFieldValues(prepared: Pick<CaseRecord, 'fields' | 'state'>): [string, string][] {
  const state = prepared.state.trim()
  const fields = Object.entries(prepared.fields).filter(([, value]) => value.trim() !== '')
  return state === '' || fields.some(([name]) => name === STATE_FIELD) ? fields : [...fields, [STATE_FIELD, state]]
}

/** What a record calls people whom the project need not know. */
function listPeople(record: ImportRecord): string[] {
  if (record.kind === 'run') return [record.created_by ?? '', record.completed_by ?? '']
  if (record.kind === 'result') return [record.person, ...(record.combinations ?? []).map(({ person }) => person)]
  if (record.kind === 'shared_steps') return [record.own?.created_by ?? '', record.own?.updated_by ?? '']
  if (record.kind === 'attachment') return [record.created_by]
  if (record.kind === 'case_version') return [record.changed_by]
  if (record.kind === 'comment') return [record.person, record.deleted_by]
  return record.kind === 'shared_step_version' ? [record.person] : []
}

/** Times that can be written with slashes. */
function listDates(record: ImportRecord): [DateColumn, string | null | undefined][] {
  if (record.kind === 'result') return [['result.at', record.at]]
  if (record.kind === 'milestone') {
    return [
      ['milestone.start', record.start],
      ['milestone.due', record.due],
    ]
  }
  if (record.kind !== 'run') return []
  return [
    ['run.created_at', record.created_at],
    ['run.completed_at', record.completed_at],
  ]
}

/** What is stored as a record of an import. */
export type StagedKind = Exclude<ImportRecord['kind'], 'source'>

/** What a file contains. */
export type FoundInFile = ReturnType<ReadStatistics['finish']>

/** Counts what a file contains, record by record. */
export class ReadStatistics {
  readonly #counts = new Map<StagedKind, number>()
  readonly #fields = new Map<string, FieldStatistics & { distinct: Set<string> }>()
  readonly #priorities = new Map<string, number>()
  readonly #types = new Map<string, number>()
  readonly #statuses = new Map<string, number>()
  readonly #keys = new Set<string>()
  readonly #people = new Set<string>()
  readonly #duplicateKeys = new Set<string>()
  readonly #dates = new DateOrders()
  readonly #maxOptions: number
  #localTime: string | null = null
  #own: { projectId: string; source: string } | null = null
  #steps = 0
  #issueIdCount = 0
  #defectIdCount = 0

  /** @param maxOptions how many options a field can have */
  constructor(maxOptions: number) {
    this.#maxOptions = maxOptions
  }

  add(record: ImportRecord, prepared: PreparedCase | null): void {
    if (record.kind === 'source') {
      this.#own = { projectId: record.key, source: record.source }
      return
    }
    this.#counts.set(record.kind, (this.#counts.get(record.kind) ?? 0) + 1)
    if (prepared !== null) this.#addCase(prepared)
    for (const person of listPeople(record)) this.#addPerson(person)
    for (const [column, text] of listDates(record)) {
      this.#dates.add(column, text)
      if (this.#localTime === null && isLocalTime(text ?? '')) this.#localTime = (text ?? '').trim()
    }
    if (record.kind === 'result') {
      countWord(this.#statuses, record.status.trim())
      if (record.defects.some((target) => !isAddress(target))) this.#defectIdCount += 1
    }
  }

  #addCase(prepared: PreparedCase): void {
    this.#steps += prepared.steps.length
    if (prepared.links.some(({ target }) => !isAddress(target))) this.#issueIdCount += 1
    countWord(this.#priorities, prepared.priority.trim())
    countWord(this.#types, prepared.type.trim())
    for (const [name, value] of listFieldValues(prepared)) this.#addValue(name, value)
    const { key } = prepared
    if (key === null) return
    if (this.#keys.has(key) && this.#duplicateKeys.size < MAX_DUPLICATE_KEYS) this.#duplicateKeys.add(key)
    this.#keys.add(key)
  }

  #addPerson(text: string): void {
    const person = text.trim().slice(0, MAX_PERSON_LENGTH)
    if (person !== '' && this.#people.size < LIMITS.people) this.#people.add(person)
  }

  #addValue(name: string, value: string): void {
    let field = this.#fields.get(name)
    if (field === undefined) {
      if (this.#fields.size >= MAX_NAMES) return
      field = { name, filled: 0, values: [], longest: 0, hasLines: false, distinct: new Set() }
      this.#fields.set(name, field)
    }
    const text = value.trim()
    field.filled += 1
    field.longest = Math.max(field.longest, text.length)
    field.hasLines ||= text.includes('\n')
    if (field.distinct.size <= this.#maxOptions && text.length <= 1000) field.distinct.add(text)
  }

  finish() {
    return {
      counts: [...this.#counts].map(([kind, count]) => ({ kind, count })),
      steps: this.#steps,
      fields: [...this.#fields.values()].map(({ distinct, ...field }) => ({ ...field, values: [...distinct] })),
      priorities: [...this.#priorities],
      types: [...this.#types],
      statuses: [...this.#statuses],
      people: [...this.#people],
      duplicateKeys: [...this.#duplicateKeys],
      issueIdCount: this.#issueIdCount,
      dates: this.#dates.finish(),
      local_time: this.#localTime,
      own: this.#own,
      defectIdCount: this.#defectIdCount,
    }
  }
}

function countWord(counts: Map<string, number>, word: string): void {
  const name = word.slice(0, 200)
  if (counts.has(name) || counts.size < MAX_NAMES) counts.set(name, (counts.get(name) ?? 0) + 1)
}
