import type { FieldValue, IgnoredFields } from '@caseward/contract/field-values'

import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { selectAssignable } from '../assignments/assignments.queries.ts'
import { createYielder } from '../../platform/yielder.ts'
import { checkValue, describeUnknownOption } from './check-value.ts'
import { describeUnknownField } from './check-values.ts'
import type { FieldDefinition, ProjectFields } from './field-definitions.ts'
import type { StoredValue } from './stored-values.ts'
import { findTooLarge } from './values-size.ts'

/*
 * Values that automation reports. Nothing in them refuses what they come with: what cannot be stored is counted and listed.
 */

type Ignored = IgnoredFields['fields'][number]

const MAX_LISTED = 100
const MAX_TEXT_LENGTH = 100

/** Counts values that are not stored, and lists the first keys and reasons. */
export class IgnoredValues {
  #count = 0
  readonly #byReason = new Map<string, Ignored>()

  add(sentKey: string, value: unknown, { code, error }: Pick<Ignored, 'code' | 'error'>): void {
    this.#count += 1
    const key = cut(sentKey)
    const reason = `${code} ${key} ${error}`
    const known = this.#byReason.get(reason)
    if (known !== undefined) known.count += 1
    else if (this.#byReason.size < MAX_LISTED) {
      this.#byReason.set(reason, { key, value: cut(toText(value)), code, error, count: 1 })
    }
  }

  /** Undefined for none. */
  present(): IgnoredFields | undefined {
    return this.#count === 0 ? undefined : { count: this.#count, fields: [...this.#byReason.values()] }
  }
}

const cut = (text: string): string => text.slice(0, MAX_TEXT_LENGTH).toWellFormed()
const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Values of one subject as automation has sent them. */
export type ReportedValues = Readonly<Record<string, unknown>>

/**
 * Reads what automation has sent for some subjects. Users are looked up for all at once.
 * @returns the values of each subject by the numbers of the fields
 */
export async function readReportedValues(
  db: Database,
  projectId: string,
  fields: ProjectFields,
  subjects: readonly ReportedValues[],
  ignored: IgnoredValues,
): Promise<Record<string, StoredValue>[]> {
  const members = await readMembers(db, projectId, fields, subjects)
  const hints = new Hints()
  const yielder = createYielder()
  const all: Record<string, StoredValue>[] = []
  for (const sent of subjects) {
    const values: Record<string, StoredValue> = {}
    for (const [key, value] of Object.entries(sent)) {
      if (yielder.shouldYield()) await yielder.yield()
      const field = fields.byKey.get(key)
      const read = field === undefined ? null : readReportedValue(field, value, hints)
      if (field === undefined || field.retired_at !== null) {
        const error =
          field === undefined
            ? hints.get(key, 'is not a field of this project', () => describeUnknownField(key, fields))
            : 'is retired: restore the field to use it again'
        ignored.add(key, value, { code: 'unknown_field', error })
      } else if (read === null || 'error' in read) {
        ignored.add(key, value, read?.error ?? notValue)
      } else if (field.type === 'user' && !members.has(String(read.value))) {
        ignored.add(key, value, { code: 'invalid_field_value', error: 'is not an admin or member of this project' })
      } else {
        values[field.number] = read.value
        const [tooLarge] = findTooLarge(fields, values, '')
        if (tooLarge === undefined) continue
        delete values[field.number]
        ignored.add(key, value, { code: 'invalid_field_value', error: tooLarge.message })
      }
    }
    all.push(values)
  }
  return all
}

const MAX_HINTS = 1000

/** What unknown names may mean. Each is compared once, and beyond the first ones none is: an upload may have millions. */
class Hints {
  readonly #known = new Map<string, string>()

  get(name: string, plain: string, describe: () => string): string {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    if (this.#known.size >= MAX_HINTS || name.length > MAX_TEXT_LENGTH) return plain
    const described = describe()
    this.#known.set(name, described)
    return described
  }
}

const notValue = { code: 'invalid_field_value', error: 'must be a value of the field' } as const

async function readMembers(
  db: Database,
  projectId: string,
  { byKey }: ProjectFields,
  subjects: readonly ReportedValues[],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const sent of subjects) {
    for (const [key, value] of Object.entries(sent)) {
      if (byKey.get(key)?.type === 'user' && typeof value === 'string' && isUuid(value.trim())) ids.add(value.trim())
    }
  }
  if (ids.size === 0) return ids
  return new Set((await selectAssignable(db, projectId, [...ids])).keys())
}

type ReadValue = { value: StoredValue } | { error: Pick<Ignored, 'code' | 'error'> }

/** Reads a value: as requests of people have it, or as text with labels or keys of options. */
function readReportedValue(field: FieldDefinition, sent: unknown, hints: Hints): ReadValue | null {
  const value = typeof sent === 'string' ? readText(field, sent.trim()) : sent
  if (!isFieldValue(value) || value === null) return null
  const unknown =
    field.options === null ? undefined : [value].flat().find((key) => !field.optionsByKey.has(String(key)))
  if (typeof unknown === 'string') {
    const error = hints.get(`${field.number} ${unknown}`, 'is not an option of this field', () =>
      describeUnknownOption(unknown, field.optionsByKey),
    )
    return { error: { code: 'unknown_option', error } }
  }
  const checked = checkValue(field, value)
  if ('error' in checked) return { error: { code: checked.error.code, error: checked.error.message } }
  const [retired] = checked.retiredOptions ?? []
  if (retired !== undefined) {
    return {
      error: {
        code: 'unknown_option',
        error: `contains ${retired}, which is retired: restore the option to use it again`,
      },
    }
  }
  return checked.value === null ? null : { value: checked.value }
}

function isFieldValue(value: unknown): value is FieldValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string')
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** Values as requests of people have them, of which texts may be those of a command line. */
export const readTexts = ({ byKey }: ProjectFields, sent: ReportedValues): ReportedValues =>
  Object.fromEntries(
    Object.entries(sent).map(([key, value]) => {
      const field = byKey.get(key)
      return [key, field === undefined || typeof value !== 'string' ? value : readText(field, value.trim())]
    }),
  )

/** Reports and command lines know texts only. */
function readText(field: FieldDefinition, text: string): FieldValue {
  const { type } = field
  if (type === 'number') return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
  if (type === 'checkbox') return CHECKBOX_WORDS.get(text.toLowerCase()) ?? text
  if (type === 'select') return findOption(field, text)
  if (type !== 'multi_select') return text
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => findOption(field, part))
}

const CHECKBOX_WORDS = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
])

/** The key of the option with this key or label, or else the text. */
function findOption({ options, optionsByKey }: FieldDefinition, text: string): string {
  if (optionsByKey.has(text)) return text
  const wanted = text.toLowerCase()
  return options?.find(({ label }) => label.toLowerCase() === wanted)?.key ?? text
}
