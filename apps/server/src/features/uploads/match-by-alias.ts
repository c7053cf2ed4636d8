import { type AliasCandidate, type AliasSystem, createAliasFinder, findAliases } from '@caseward/matching/aliases'
import { ID_PLACES, type IdPlace } from '@caseward/matching/test-case-ids'

import type { Yielder } from '../../platform/yielder.ts'
import type { StoredAlias } from '../case-aliases/case-aliases.queries.ts'
import type { MatchLookups } from './match-lookups.ts'
import type { UploadTest } from './upload-test.ts'

/** The test cases that a test names in one place by ids of other tools. */
export interface AliasMatch {
  place: IdPlace
  numbers: readonly number[]
  system: AliasSystem
}

/**
 * Finds the test cases that tests name by ids of other tools. Only ids that test cases have ever match.
 * @returns for tests with some, those of each place in the order of their weight
 */
export async function matchByAlias(
  tests: readonly UploadTest[],
  { aliasSources, findAliases: lookUp }: Pick<MatchLookups, 'aliasSources' | 'findAliases'>,
  yielder: Yielder,
): Promise<ReadonlyMap<UploadTest, readonly AliasMatch[]>> {
  if (aliasSources.length === 0) return new Map()
  const finder = createAliasFinder(aliasSources)
  const named = new Map<UploadTest, Map<IdPlace, AliasCandidate[]>>()
  const lookups = new Set<string>()
  for (const uploadTest of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const places = findAliases(uploadTest.test, finder)
    if (places.size === 0) continue
    named.set(uploadTest, places)
    for (const candidates of places.values()) for (const { lookup } of candidates) lookups.add(lookup)
  }
  if (lookups.size === 0) return new Map()
  const stored = new Map<string, StoredAlias[]>()
  for (const alias of await lookUp([...lookups])) {
    const others = stored.get(alias.lookup)
    if (others === undefined) stored.set(alias.lookup, [alias])
    else others.push(alias)
  }
  const matches = new Map<UploadTest, AliasMatch[]>()
  for (const [uploadTest, places] of named) {
    if (yielder.shouldYield()) await yielder.yield()
    const found: AliasMatch[] = []
    for (const place of ID_PLACES) {
      const candidates = places.get(place)
      const match = candidates === undefined ? null : toMatch(place, candidates, stored)
      if (match !== null) found.push(match)
    }
    if (found.length > 0) matches.set(uploadTest, found)
  }
  return matches
}

function toMatch(
  place: IdPlace,
  candidates: readonly AliasCandidate[],
  stored: ReadonlyMap<string, readonly StoredAlias[]>,
): AliasMatch | null {
  const numbers = new Set<number>()
  let system: AliasSystem | undefined
  for (const candidate of candidates) {
    for (const alias of stored.get(candidate.lookup) ?? []) {
      if (candidate.system !== alias.system) continue
      if (candidate.source !== null && candidate.source !== alias.source.toLowerCase()) continue
      numbers.add(alias.number)
      system ??= alias.system
    }
  }
  return system === undefined ? null : { place, numbers: [...numbers], system }
}
