import { ALIAS_SYSTEMS, type FoundAlias, MAX_FOUND_ALIASES } from '@caseward/contract/case-aliases'
import { toAliasLookup } from '@caseward/matching/aliases'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import { getLookupKey, selectAliasesByLookup } from './case-aliases.queries.ts'

/** What an id can be looked up by, whatever tool it is of. */
export function listLookups(key: string): Map<string, string> {
  const lookups = new Map<string, string>()
  for (const system of ALIAS_SYSTEMS) {
    const lookup = toAliasLookup(system, key)
    if (lookup !== null) lookups.set(getLookupKey({ system, lookup }), lookup)
  }
  return lookups
}

/** The test cases with an id of another tool. */
export async function findTestCasesByAlias(db: Database, project: ProjectRef, key: string): Promise<FoundAlias[]> {
  const lookups = listLookups(key)
  const found = await selectAliasesByLookup(db, project.id, [...new Set(lookups.values())])
  return found
    .filter((alias) => lookups.has(getLookupKey(alias)))
    .slice(0, MAX_FOUND_ALIASES)
    .map(({ number, system, source, key: written }) => ({
      test_case_id: formatTestCaseId(project.prefix, number),
      system,
      source,
      key: written,
    }))
}
