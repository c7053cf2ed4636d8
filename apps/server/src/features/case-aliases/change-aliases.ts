import type { CaseAlias } from '@caseward/contract/case-aliases'
import { toAliasLookup } from '@caseward/matching/aliases'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflictProblem, invalidProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { hasTestCase } from '../test-cases/has-test-case.queries.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import {
  deleteAliases,
  getLookupKey,
  insertAliases,
  selectAliases,
  selectAliasesByLookup,
  type StoredAlias,
  updateAliasSources,
} from './case-aliases.queries.ts'

const getAliasKey = (alias: Pick<StoredAlias, 'system' | 'source' | 'lookup'>): string =>
  `${getLookupKey(alias)}\n${alias.source}`

/**
 * Replaces the ids of a test case in other tools.
 * @throws {Problem} 400 for an id that its tool cannot have, or one that is sent twice; 404; 409 for one of another test case
 */
export async function replaceAliases(
  db: Database,
  project: ProjectRef,
  number: number,
  sent: readonly CaseAlias[],
): Promise<CaseAlias[]> {
  const aliases = readAliases(number, sent)
  return await db.transaction().execute(async (tx) => {
    await requireLockedProject(tx, project.id)
    if (!(await hasTestCase(tx, project.id, number))) throw notFoundProblem('test case')
    const stored = await selectAliasesByLookup(
      tx,
      project.id,
      aliases.map(({ lookup }) => lookup),
    )
    const storedByKey = new Map(stored.map((alias) => [getAliasKey(alias), alias]))
    const taken = aliases.flatMap((alias, index) => {
      const owner = storedByKey.get(getAliasKey(alias))
      if (owner === undefined || owner.number === number) return []
      const id = formatTestCaseId(project.prefix, owner.number)
      return [{ path: `/aliases/${index}/key`, message: `is the id of ${id}` }]
    })
    if (taken.length > 0) {
      throw conflictProblem('alias_taken', 'Another test case has one of these ids. Remove it there first.', taken)
    }
    const current = await selectAliases(tx, project.id, number)
    const kept = new Set(aliases.map(getAliasKey))
    const removed = current.map((alias) => toStored(number, alias)).filter((alias) => !kept.has(getAliasKey(alias)))
    await deleteAliases(tx, project.id, number, removed)
    await insertAliases(
      tx,
      project.id,
      aliases.filter((alias) => !storedByKey.has(getAliasKey(alias))),
    )
    await updateAliasSources(tx, project.id)
    return await selectAliases(tx, project.id, number)
  })
}

const toStored = (number: number, alias: CaseAlias): StoredAlias => ({
  ...alias,
  number,
  lookup: toAliasLookup(alias.system, alias.key) ?? alias.key,
})

function readAliases(number: number, sent: readonly CaseAlias[]): StoredAlias[] {
  const seen = new Set<string>()
  const errors = sent.flatMap((alias, index) => {
    const path = `/aliases/${index}/key`
    if (toAliasLookup(alias.system, alias.key) === null) {
      return [{ path, message: `is not what an id of ${alias.system} looks like` }]
    }
    const key = getAliasKey(toStored(number, alias))
    if (seen.has(key)) return [{ path, message: 'is sent twice' }]
    seen.add(key)
    return []
  })
  if (errors.length > 0) throw invalidProblem(errors)
  return sent.map((alias) => toStored(number, alias))
}
