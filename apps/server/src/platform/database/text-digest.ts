import { hash } from 'node:crypto'

/**
 * The first 128 bits of a text's SHA-256 as a uuid, as PostgreSQL writes it: short and fast to compare, for texts that do
 * not fit into an index entry. `automation_key_digest` in the database returns the same.
 */
export function toDigest(text: string): string {
  const hex = hash('sha256', text, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
