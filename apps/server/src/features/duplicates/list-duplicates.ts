import { DUPLICATES_PER_PAGE, type DuplicateGroup, MAX_DUPLICATES } from '@caseward/contract/duplicates'
import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { hashTitle, TITLE_HASH } from '../test-cases/content-digest.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'

/** How many entries of the index a page reads at most, so that each takes the same time in any project. */
const MAX_ENTRIES = 50_000

interface Group {
  titleHash: string
  count: number
  /** Up to {@link MAX_DUPLICATES}; those with the same steps are next to each other. */
  numbers: number[]
}

/**
 * Lists test cases with the same title, in the order of the index of their digests.
 * @param after `next_after` of the previous page
 */
export async function listDuplicates(
  db: Database,
  project: ProjectRef,
  after: string | null,
): Promise<{ data: DuplicateGroup[]; meta: { next_after: string | null; is_complete: boolean } }> {
  const { groups, nextAfter } = await selectGroups(db, project.id, after ?? '0'.repeat(16))
  const data = await readGroups(db, project, groups)
  return { data, meta: { next_after: nextAfter, is_complete: !(await hasCasesWithoutDigest(db, project.id)) } }
}

async function selectGroups(
  db: Database,
  projectId: string,
  from: string,
): Promise<{ groups: Group[]; nextAfter: string | null }> {
  const { rows } = await sql<Group & { lastHash: string; entryCount: number }>`
    with entry as materialized (
      select number, content_digest from test_cases
      where project_id = ${projectId} and content_digest >= ${from.padEnd(32, '0')}::uuid and archived_at is null
      order by content_digest limit ${MAX_ENTRIES}
    ), grouped as (
      select ${sql.raw(TITLE_HASH)} as hash, count(*)::int as count,
        (array_agg(number order by content_digest, number))[1:${sql.lit(MAX_DUPLICATES)}] as numbers
      from entry c group by 1 having count(*) > 1
      order by 1 limit ${DUPLICATES_PER_PAGE}
    ), page as (
      select max(${sql.raw(TITLE_HASH)}) as last_hash, count(*)::int as entry_count from entry c
    )
    select hash as "titleHash", count, numbers, last_hash as "lastHash", entry_count as "entryCount"
    from page left join grouped on true order by hash`.execute(db)
  const [{ lastHash, entryCount } = { lastHash: null, entryCount: 0 }] = rows
  const groups = rows.filter(({ titleHash }) => titleHash !== null)
  if (groups.length === DUPLICATES_PER_PAGE) return { groups, nextAfter: getNext(groups.at(-1)?.titleHash) }
  if (entryCount < MAX_ENTRIES || lastHash === null) return { groups, nextAfter: null }
  // More with the last title may follow: the next page begins with it, unless it fills the whole page.
  if (lastHash === from) return { groups, nextAfter: getNext(lastHash) }
  return { groups: groups.filter(({ titleHash }) => titleHash !== lastHash), nextAfter: lastHash }
}

/** The number after a hash; null after the last one. */
function getNext(hash = ''): string | null {
  const next = (BigInt(`0x${hash}`) + 1n).toString(16).padStart(16, '0')
  return next.length > 16 ? null : next
}

/** Reads the test cases of groups. A server of an earlier version may have changed titles without their digests: these are left out. */
async function readGroups(db: Database, project: ProjectRef, groups: readonly Group[]): Promise<DuplicateGroup[]> {
  if (groups.length === 0) return []
  const { rows } = await sql<{
    number: number
    title: string
    folder_id: string | null
    updated_at: Date
    digest: string
  }>`
    select c.number, c.title, c.folder_id, c.updated_at, c.content_digest as digest
    from test_cases c
    where c.project_id = ${project.id} and c.number = any(${groups.flatMap(({ numbers }) => numbers)}::int[])`.execute(
    db,
  )
  const current = rows.filter(({ title, digest }) => digest.replaceAll('-', '').startsWith(hashTitle(title)))
  const byNumber = new Map(current.map((row) => [row.number, row]))
  return groups
    .map(({ count, numbers }) => {
      const members = numbers.flatMap((number) => byNumber.get(number) ?? [])
      const digests = [...new Set(members.map(({ digest }) => digest))]
      const testCases = members.map(({ number, title, folder_id, updated_at, digest }) => ({
        id: formatTestCaseId(project.prefix, number),
        title,
        folder_id,
        updated_at: presentTime(updated_at),
        content: digests.indexOf(digest) + 1,
      }))
      return { count: count - (numbers.length - members.length), test_cases: testCases }
    })
    .filter(({ test_cases: members }) => members.length > 1)
}

async function hasCasesWithoutDigest(db: Database, projectId: string): Promise<boolean> {
  const { rows } = await sql`
    select from test_cases where project_id = ${projectId} and content_digest is null limit 1`.execute(db)
  return rows.length > 0
}
