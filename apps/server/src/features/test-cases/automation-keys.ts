import { normalizeKey } from '@caseward/matching/normalize-key'

import { toDigest } from '../../platform/database/text-digest.ts'
import { invalidFieldProblem } from '../../platform/http/problems.ts'

/** The automation keys in a request: one, or all of them. */
export interface SentKeys {
  automation_key?: string | null
  automation_keys?: string[]
}

/** The digest by which an automation key is looked up, and is unique in a project. */
export const toKeyDigest = (key: string): string => toDigest(normalizeKey(key))

/** Each key once. */
export function distinctKeys(keys: readonly string[]): string[] {
  const byNormalized = new Map<string, string>()
  for (const key of keys) {
    const normalized = normalizeKey(key)
    if (!byNormalized.has(normalized)) byNormalized.set(normalized, key)
  }
  return [...byNormalized.values()]
}

/**
 * The automation keys that a request sets: all of them, or the first one and the others as they are; undefined if it sets
 * none.
 * @param itemPath the JSON Pointer of the item
 * @throws {Problem} 400 when `automation_key` is not the first of `automation_keys`, or a key consists of separators
 */
export function readSentKeys(
  { automation_key: first, automation_keys: all }: SentKeys,
  itemPath = '',
): { all: string[] } | { first: string } | undefined {
  if (all !== undefined) {
    if (first !== undefined && first !== (all[0] ?? null)) {
      throw invalidFieldProblem(`${itemPath}/automation_key`, 'must be the first of `automation_keys`, or be left out')
    }
    all.forEach((key, index) => checkKey(key, `${itemPath}/automation_keys/${index}`))
    return { all: distinctKeys(all) }
  }
  if (first === undefined) return undefined
  if (first === null) return { all: [] }
  checkKey(first, `${itemPath}/automation_key`)
  return { first }
}

function checkKey(key: string, path: string): void {
  if (normalizeKey(key) === '') throw invalidFieldProblem(path, 'must contain more than white space and separators')
}
