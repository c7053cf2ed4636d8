import type { LinkKind } from '@caseward/contract/link-schemas'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'

export interface AddedLink {
  id: string
  resultId: string
  kind: LinkKind
  url: string
  digest: string
  label: string
}

interface LinkedPlace {
  id: string
  caseNumber: number
  linkCount: number
}

/** Locks the results of some test cases of a run, as whoever adds a link by hand does, in the order of their ids. */
export async function lockResults(
  tx: Database,
  { id, group, project }: RunRef,
  caseNumbers: readonly number[],
): Promise<LinkedPlace[]> {
  if (caseNumbers.length === 0) return []
  const { rows } = await sql<LinkedPlace>`${plannedAnew}
    select r.id, r.case_number as "caseNumber", coalesce(r.link_count, 0) as "linkCount" from test_results r
    where r.project_id = ${project.id} and r.run_group = ${group} and r.run_id = ${id}
      and r.case_number = any(${[...caseNumbers]}::int[])
    order by r.id for no key update`.execute(tx)
  return rows
}

/** The digests of the addresses that results have, by result. */
export async function selectLinkDigests(
  tx: Database,
  { id, project }: RunRef,
  resultIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  const digests = new Map<string, Set<string>>()
  if (resultIds.length === 0) return digests
  const { rows } = await sql<{ resultId: string; digest: string }>`
    select result_id as "resultId", url_digest as digest from links
    where project_id = ${project.id} and run_id = ${id} and result_id = any(${[...resultIds]}::uuid[])`.execute(tx)
  for (const { resultId, digest } of rows) {
    const known = digests.get(resultId) ?? new Set<string>()
    known.add(digest)
    digests.set(resultId, known)
  }
  return digests
}

/** @param createdBy user id; null for automation */
export async function insertLinks(
  tx: Database,
  { id, project }: RunRef,
  links: readonly AddedLink[],
  createdBy: string | null,
): Promise<void> {
  const column = <K extends keyof AddedLink>(name: K) => links.map((link) => link[name])
  await sql`
    insert into links (project_id, run_id, id, result_id, kind, url, url_digest, label, created_by)
    select ${project.id}::uuid, ${id}::uuid, linked.*, ${createdBy}::uuid from unnest(
      ${column('id')}::uuid[], ${column('resultId')}::uuid[], ${column('kind')}::link_kind[],
      ${column('url')}::text[], ${column('digest')}::uuid[], ${column('label')}::text[]
    ) as linked`.execute(tx)
}
