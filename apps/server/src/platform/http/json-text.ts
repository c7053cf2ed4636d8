/*
 * JSON written from rows as PostgreSQL gives them out (`database/text-rows.ts`), for the reads that are asked for all
 * day. A test holds such answers against their schemas.
 */

import { isoOf } from '../database/timestamp-text.ts'

export const textOf = JSON.stringify as (text: string) => string

export const nullableTextOf = (text: string | null): string => (text === null ? 'null' : JSON.stringify(text))

/** For what needs no escaping: ids, and words of a fixed set. */
export const wordOf = (word: string): string => `"${word}"`

export const nullableWordOf = (word: string | null): string => (word === null ? 'null' : `"${word}"`)

/** Of a time as PostgreSQL writes it. */
export const timeOf = (time: string): string => `"${isoOf(time)}"`

export const nullableTimeOf = (time: string | null): string => (time === null ? 'null' : timeOf(time))

/** A list of what is JSON already. */
export const listOf = (items: readonly string[]): string => `[${items.join(',')}]`
