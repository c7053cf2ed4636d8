import { hash } from 'node:crypto'

/** Returns an id that is the same for the same parts, and has the form of others. */
export function deriveId(parts: readonly string[]): string {
  const digits = hash('sha256', parts.join('\n'), 'hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-7${digits.slice(12, 15)}-8${digits.slice(15, 18)}-${digits.slice(18, 30)}`
}
