/*
 * JSON written from rows as PostgreSQL gives them out (`database/text-rows.ts`), for the reads that are asked for all
 * day. A test holds such answers against their schemas.
 */

export const textOf = JSON.stringify as (text: string) => string

export const nullableTextOf = (text: string | null): string => (text === null ? 'null' : JSON.stringify(text))

/** For what needs no escaping: ids, and words of a fixed set. */
export const wordOf = (word: string): string => `"${word}"`

export const nullableWordOf = (word: string | null): string => (word === null ? 'null' : `"${word}"`)

/** `2026-11-21 09:30:00.123456+00` → `"2026-11-21T09:30:00.123Z"`. Every session's time zone is UTC. */
export function timeOf(time: string): string {
  const milliseconds = time[19] === '.' ? time.slice(20, -3).slice(0, 3).padEnd(3, '0') : '000'
  return `"${time.slice(0, 10)}T${time.slice(11, 19)}.${milliseconds}Z"`
}

export const nullableTimeOf = (time: string | null): string => (time === null ? 'null' : timeOf(time))
