import { MAX_SIMILAR, MIN_SIMILARITY, type SimilarBody, type SimilarTestCase } from '@caseward/contract/duplicates'
import { type RawBuilder, sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { planForParameters } from '../../platform/database/plans.ts'
import { toLikePattern } from '../../platform/http/pagination.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { hashSteps, hashTitle, STEPS_HASH, TITLE_HASH } from '../test-cases/content-digest.ts'
import { chooseSource, hasTrigram, MAX_SMALL_PROJECT } from '../test-cases/test-case-filters.ts'
import { numberSteps } from '../shared-steps/step-groups.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'

/** How many test cases with common words are compared in a large project, and how long they may take to find. */
const MAX_CANDIDATES = 200
const TIME_LIMIT_MS = 50
/** How many of the longest words are searched for. */
const MAX_WORDS = 3

interface Found {
  number: number
  title: string
  folder_id: string | null
  same_title: boolean
  same_content: boolean
  similarity: number
}

/**
 * Finds the test cases that are most like a new one.
 * @throws {Problem} 404 when the project is gone
 */
export async function findSimilar(
  db: Database,
  project: ProjectRef,
  { title, steps }: SimilarBody,
): Promise<{ data: SimilarTestCase[]; meta: { is_complete: boolean } }> {
  const source = await chooseSource(db, project, {})
  if (source === null) throw notFoundProblem('project')
  const stepsHash = steps === undefined ? null : hashSteps(numberSteps(steps))
  const wanted = { title, titleHash: hashTitle(title), stepsHash }
  if (source === 'small') {
    const { rows } = await buildComparison(readAll(project.id), wanted).execute(db)
    return present(project, rows, { isComplete: true })
  }
  const { rows: equal } = await buildComparison(findTitle(project.id, wanted), wanted).execute(db)
  const words = await findByWords(db, project.id, wanted)
  const known = new Set(equal.map(({ number }) => number))
  const rows = [...equal, ...words.rows.filter(({ number }) => !known.has(number))]
  return present(project, rows, words)
}

/** The test cases of a small project, by its key: the limit leaves room for those that are just being added. */
const readAll = (projectId: string): RawBuilder<unknown> =>
  sql`(select * from test_cases where project_id = ${projectId} and archived_at is null order by number limit ${sql.lit(2 * MAX_SMALL_PROJECT)})`

interface Wanted {
  title: string
  titleHash: string
  /** Null if only titles are compared. */
  stepsHash: string | null
}

/** Compares test cases, a subquery of which has all columns, and returns the most similar. */
const buildComparison = (candidates: RawBuilder<unknown>, { title, titleHash, stepsHash }: Wanted) =>
  sql<Found>`
    select number, title, folder_id, same_title, same_title and same_steps as same_content, similarity
    from (
      select c.number, c.title, c.folder_id, similarity(c.title, ${title})::float8 as similarity,
        coalesce(${sql.raw(TITLE_HASH)} = ${titleHash}, false) as same_title,
        coalesce(${sql.raw(STEPS_HASH)} = ${stepsHash}::text, false) as same_steps
      from ${candidates} c
    ) compared
    where same_title or similarity >= ${MIN_SIMILARITY}
    order by same_title and same_steps desc, same_title desc, similarity desc, number limit ${MAX_SIMILAR}`

/** Test cases with the same title, which have the first half of the digest in common. */
const findTitle = (projectId: string, { titleHash }: Wanted): RawBuilder<unknown> =>
  sql`(
    select * from test_cases where project_id = ${projectId} and archived_at is null
      and content_digest between ${titleHash.padEnd(32, '0')}::uuid and ${titleHash.padEnd(32, 'f')}::uuid
    order by content_digest limit ${MAX_CANDIDATES}
  )`

/** Finds test cases with two of the longest words. If that takes too long, it finds none, and says so. */
async function findByWords(
  db: Database,
  projectId: string,
  wanted: Wanted,
): Promise<{ rows: Found[]; isComplete: boolean }> {
  const patterns = chooseWords(wanted.title).map(toLikePattern)
  if (patterns.length === 0) return { rows: [], isComplete: false }
  const [one, two = one, three] = patterns.map((pattern) => sql`title ilike ${pattern}`)
  const words =
    three === undefined
      ? sql`${one} and ${two}`
      : sql`(${one} and ${two} or ${one} and ${three} or ${two} and ${three})`
  const search = sql<{ count: number; found: Found[] }>`
    with candidate as materialized (
      select * from test_cases
      where project_id = ${projectId} and archived_at is null and ${words} limit ${MAX_CANDIDATES + 1}
    )
    select (select count(*)::int from candidate) as count,
      coalesce((select json_agg(found) from (${buildComparison(sql`candidate`, wanted)}) found), '[]') as found`
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(TIME_LIMIT_MS)}, true)`.execute(tx)
      await planForParameters(tx)
      const { rows } = await search.execute(tx)
      const [{ count, found } = { count: 0, found: [] }] = rows
      return { rows: found, isComplete: count <= MAX_CANDIDATES }
    })
  } catch (error) {
    if (isTimeout(error)) return { rows: [], isComplete: false }
    throw error
  }
}

/** The longest words of a title that the index on titles finds. */
function chooseWords(title: string): string[] {
  const words = new Set(title.toLowerCase().match(/[\p{L}\p{N}]+/gu))
  return [...words]
    .filter(hasTrigram)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_WORDS)
}

/** Whether PostgreSQL has canceled a statement, https://www.postgresql.org/docs/current/errcodes-appendix.html */
const isTimeout = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '57014'

function present({ prefix }: ProjectRef, rows: readonly Found[], { isComplete }: { isComplete: boolean }) {
  const data = rows
    .toSorted((a, b) => getRank(b) - getRank(a) || a.number - b.number)
    .slice(0, MAX_SIMILAR)
    .map(({ number, title, folder_id, same_title, same_content, similarity }): SimilarTestCase => {
      const same = same_content ? 'content' : same_title ? 'title' : 'similar'
      return { id: formatTestCaseId(prefix, number), title, folder_id, same, similarity }
    })
  return { data, meta: { is_complete: isComplete } }
}

const getRank = ({ same_content, same_title, similarity }: Found): number =>
  (same_content ? 4 : 0) + (same_title ? 2 : 0) + similarity
