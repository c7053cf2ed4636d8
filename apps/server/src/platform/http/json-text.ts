/*
 * Encoders of columns (`database/columns.ts`): they convert text as PostgreSQL writes it to JSON. A test checks the
 * responses against their schemas.
 */

import { toIsoTimestamp } from '../database/timestamp-text.ts'

export const toJsonString = JSON.stringify as (text: string) => string

/** For strings that need no escaping: ids and enum values. */
export const toPlainJsonString = (text: string): string => `"${text}"`

export const toJsonTimestamp = (timestamp: string): string => `"${toIsoTimestamp(timestamp)}"`

/** For numbers and for values that are JSON in the database. */
export const toRawJson = (text: string): string => text
