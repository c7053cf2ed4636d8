import type { FieldValue } from './field-words.ts'

/** A value as a request has it; null removes what is stored. */
export type SentValue = string | number | boolean | string[] | null

export const toSent = (value: Exclude<FieldValue, undefined>): SentValue =>
  typeof value === 'object' && value !== null ? [...value] : value

/** Whether something is a value of a custom field. What its type requires is checked by the server. */
export const isSentValue = (value: unknown): value is SentValue =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string'))
