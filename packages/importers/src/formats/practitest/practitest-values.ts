import { toText } from '../answers.ts'
import { type Raw, readObject } from '../caseward/read-values.ts'

/** Objects have their id beside what they say. */
export const getAttributes = (item: Raw): Raw => readObject(item, 'attributes')

/** `00:05:00`. */
export function readClock(value: unknown): number | null {
  const [, hours, minutes, seconds] = /^(\d{1,5}):(\d\d):(\d\d)$/.exec(toText(value)) ?? []
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0) || null
}
