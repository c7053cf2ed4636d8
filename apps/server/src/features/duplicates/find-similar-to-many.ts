import { MAX_COMPARED_CASES, MAX_SIMILAR_OF_MANY, type SimilarTestCase } from '@caseward/contract/duplicates'
import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createYielder } from '../../platform/yielder.ts'
import { buildContentDigest, hashTitle } from '../test-cases/content-digest.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import { createTitleIndex } from './title-index.ts'

/** A test case that does not exist yet. */
export interface WantedCase {
  title: string
  /** Null if only titles are compared. */
  steps: readonly { action: string; expected: string }[] | null
}

export interface SimilarToMany {
  /** The most similar test cases for each of those wanted, in their order. */
  found: SimilarTestCase[][]
  /** False if the project has more test cases than are compared; those with an equal title are found anyway. */
  isComplete: boolean
}

interface StoredTitle {
  number: number
  title: string
  folder_id: string | null
  digest: string | null
}

/** So many titles are in memory at a time. */
const PAGE = 5000
const ROWS = sql`number, title, folder_id, replace(content_digest::text, '-', '') as digest`

/**
 * Finds the test cases that are most like each of many new ones. The titles of the project are read once, the newest test cases
 * first.
 */
export async function findSimilarToMany(
  db: Database,
  project: ProjectRef,
  wanted: readonly WantedCase[],
): Promise<SimilarToMany> {
  const found = wanted.map((): SimilarTestCase[] => [])
  if (wanted.length === 0) return { found: [], isComplete: true }
  const compare = createComparison(project, wanted, found)
  const yielder = createYielder()
  let [before, count, isComplete] = [2_147_483_647, 0, false]
  while (!isComplete && count < MAX_COMPARED_CASES) {
    const { rows } = await sql<StoredTitle>`
      select ${ROWS} from test_cases where project_id = ${project.id} and archived_at is null and number < ${before}
      order by number desc limit ${sql.lit(PAGE)}`.execute(db)
    for (const row of rows) {
      compare(row)
      if (yielder.shouldYield()) await yielder.yield()
    }
    before = rows.at(-1)?.number ?? 0
    count += rows.length
    isComplete = rows.length < PAGE
  }
  if (!isComplete) for (const row of await selectEqualTitles(db, project.id, wanted, before)) compare(row)
  return { found: found.map(getBest), isComplete }
}

/** Returns what compares a test case of the project with all that are wanted, and keeps the most similar of each. */
function createComparison(
  { prefix }: ProjectRef,
  wanted: readonly WantedCase[],
  found: readonly SimilarTestCase[][],
): (row: StoredTitle) => void {
  const index = createTitleIndex(wanted.map(({ title }) => title))
  const digests = wanted.map(({ title, steps }) => (steps === null ? null : buildContentDigest(title, steps)))
  const byHash = new Map<string, number[]>()
  for (const [place, { title }] of wanted.entries()) {
    const hash = hashTitle(title)
    byHash.set(hash, [...(byHash.get(hash) ?? []), place])
  }
  return ({ number, title, folder_id, digest }) => {
    const equal = byHash.get(digest?.slice(0, 16) ?? hashTitle(title)) ?? []
    const similarities = new Map(index.find(title).map((match) => [match.index, match.similarity]))
    for (const place of new Set([...equal, ...similarities.keys()])) {
      const isContent = digest !== null && digest === digests[place]
      const same = isContent ? 'content' : equal.includes(place) ? 'title' : 'similar'
      // Titles of other characters than letters and digits can be equal without a trigram.
      const similarity = similarities.get(place) ?? 0
      const matches = found[place]
      matches?.push({ id: formatTestCaseId(prefix, number), title, folder_id, same, similarity })
      if (matches !== undefined && matches.length > 4 * MAX_SIMILAR_OF_MANY)
        matches.splice(0, matches.length, ...getBest(matches))
    }
  }
}

/** Test cases older than those that were compared, which an index finds by their title. */
async function selectEqualTitles(
  db: Database,
  projectId: string,
  wanted: readonly WantedCase[],
  before: number,
): Promise<StoredTitle[]> {
  const hashes = [...new Set(wanted.map(({ title }) => hashTitle(title)))]
  const { rows } = await sql<StoredTitle>`
    select equal.* from unnest(${hashes}::text[]) hash cross join lateral (
      select ${ROWS} from test_cases where project_id = ${projectId} and archived_at is null and number < ${before}
        and content_digest between rpad(hash, 32, '0')::uuid and rpad(hash, 32, 'f')::uuid
      order by content_digest limit ${sql.lit(MAX_SIMILAR_OF_MANY)}
    ) equal`.execute(db)
  return rows
}

const KINDS = ['content', 'title', 'similar']

const getBest = (matches: readonly SimilarTestCase[]): SimilarTestCase[] =>
  matches
    .toSorted((a, b) => KINDS.indexOf(a.same) - KINDS.indexOf(b.same) || b.similarity - a.similarity)
    .slice(0, MAX_SIMILAR_OF_MANY)
