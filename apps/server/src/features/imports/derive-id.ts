import { hash } from 'node:crypto'

/** Returns an id that is the same for the same parts, and has the form of others. */
export function deriveId(parts: readonly string[]): string {
  const digits = hash('sha256', parts.join('\n'), 'hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-7${digits.slice(12, 15)}-8${digits.slice(15, 18)}-${digits.slice(18, 30)}`
}

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/**
 * Returns an id that is the same for the same parts, and is in the order of time, as those that are made here. Objects of one moment are
 * in the order of their keys in an export of Caseward.
 * @param key of the object in its source
 */
export function deriveTimedId(parts: readonly string[], key: string, time: string): string {
  const digits = hash('sha256', [...parts, key].join('\n'), 'hex')
  const moment = Math.max(0, Date.parse(time)).toString(16).padStart(12, '0').slice(-12)
  // Version, counter and half of the random bits of the key, which have the order within a millisecond.
  const order = VERSION_7.test(key)
    ? key.slice(14, 26)
    : `7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 8)}`
  return `${moment.slice(0, 8)}-${moment.slice(8)}-${order}${digits.slice(10, 20)}`
}

/** Returns an id that is the same for the same parts and key, and has the time of the key if that is an id of ours. */
export function deriveKeyedId(parts: readonly string[], key: string): string {
  const id = deriveId([...parts, key])
  return VERSION_7.test(key) ? key.slice(0, 26) + id.slice(26) : id
}
