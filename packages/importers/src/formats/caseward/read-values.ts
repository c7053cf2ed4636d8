import type { OwnFieldValue } from '../../own-records.ts'

/*
 * Values of a record that can be anything: what is not of the expected type is missing.
 */

/** Finds the email address of the person with a key, or the key itself: in the same instance, it is an account. */
export type FindPerson = (key: string) => string

export type Raw = Readonly<Record<string, unknown>>

export const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const readString = (raw: Raw, name: string): string => (typeof raw[name] === 'string' ? raw[name] : '')

export const readNullableString = (raw: Raw, name: string): string | null =>
  typeof raw[name] === 'string' ? raw[name] : null

export const readNumber = (raw: Raw, name: string): number | null =>
  typeof raw[name] === 'number' && Number.isFinite(raw[name]) ? raw[name] : null

export const readList = (raw: Raw, name: string): readonly unknown[] => (Array.isArray(raw[name]) ? raw[name] : [])

export const readStrings = (raw: Raw, name: string): string[] =>
  readList(raw, name).filter((item) => typeof item === 'string')

export const readObjects = (raw: Raw, name: string): Raw[] => readList(raw, name).filter(isRaw)

export const readObject = (raw: Raw, name: string): Raw => (isRaw(raw[name]) ? raw[name] : {})

export const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

/** Values of custom fields by their keys. */
export function readFieldValues(raw: Raw): Record<string, OwnFieldValue> {
  const values: Record<string, OwnFieldValue> = {}
  for (const [key, value] of Object.entries(raw)) {
    if (isScalar(value)) values[key] = value
    else if (Array.isArray(value)) values[key] = readStrings(raw, key)
  }
  return values
}

/** What a link is of. */
export const toLinkKind = (kind: string): 'requirement' | 'defect' | 'other' =>
  kind === 'requirement' || kind === 'defect' ? kind : 'other'

/** Levels of what is kept as it is. */
const MAX_DEPTH = 12

/** Returns a value without what is too deep to be stored. */
export function limitDepth(value: unknown, depth = MAX_DEPTH): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return null
  if (Array.isArray(value)) return value.map((item) => limitDepth(item, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, limitDepth(item, depth - 1)]))
}
