/*
 * JSON written from rows as PostgreSQL gives them out (`database/text-rows.ts`), for the reads that are asked for all
 * day. A test holds such answers against their schemas.
 */

import { toIsoTimestamp } from '../database/timestamp-text.ts'

export const toJsonString = JSON.stringify as (text: string) => string

export const toNullableJsonString = (text: string | null): string => (text === null ? 'null' : JSON.stringify(text))

/** For what needs no escaping: ids, and words of a fixed set. */
export const toPlainJsonString = (word: string): string => `"${word}"`

export const toNullablePlainJsonString = (word: string | null): string => (word === null ? 'null' : `"${word}"`)

/** Of a time as PostgreSQL writes it. */
export const toJsonTimestamp = (time: string): string => `"${toIsoTimestamp(time)}"`

export const toNullableJsonTimestamp = (time: string | null): string => (time === null ? 'null' : toJsonTimestamp(time))

/** A list of what is JSON already. */
export const toJsonArray = (items: readonly string[]): string => `[${items.join(',')}]`
