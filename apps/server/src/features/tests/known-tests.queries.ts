import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { toDigest } from '../../platform/database/text-digest.ts'
import { createYielder } from '../../platform/yielder.ts'

export type LinkSource = 'id' | 'key' | 'hand'

/** A test that the project knows, with its links. */
export interface KnownTest {
  id: string
  titleKey: string
  file: string
  variant: string
  /** Numbers of the test cases that it is linked to, in any order. */
  caseNumbers: readonly number[]
  source: LinkSource | null
}

/** A test with one of its links. */
interface Row {
  id: string
  title_digest: string
  file: string
  variant: string
  case_number: number | null
  source: LinkSource | null
}

/** Selects all tests of a project with one of these normalized titles. */
export async function selectKnownTests(
  db: Database,
  projectId: string,
  titleKeys: Iterable<string>,
): Promise<KnownTest[]> {
  const titleKeyByDigest = new Map<string, string>()
  const yielder = createYielder()
  for (const titleKey of titleKeys) {
    if (yielder.shouldYield()) await yielder.yield()
    titleKeyByDigest.set(toDigest(titleKey), titleKey)
  }
  const digests = [...titleKeyByDigest.keys()]
  const known = new Map<string, KnownTest>()
  for (let start = 0; start < digests.length; start += TITLES_PER_STATEMENT) {
    const batch = digests.slice(start, start + TITLES_PER_STATEMENT)
    for (const { id, title_digest, file, variant, case_number, source } of await selectRows(db, projectId, batch)) {
      const caseNumbers = case_number === null ? [] : [case_number]
      const sameTest = known.get(id)
      const titleKey = titleKeyByDigest.get(title_digest) ?? ''
      if (sameTest === undefined) known.set(id, { id, titleKey, file, variant, caseNumbers, source })
      else sameTest.caseNumbers = [...sameTest.caseNumbers, ...caseNumbers]
    }
  }
  return [...known.values()]
}

const TITLES_PER_STATEMENT = 20_000

async function selectRows(db: Database, projectId: string, digests: readonly string[]): Promise<Row[]> {
  const { rows } = await sql<Row>`${plannedAnew}
    select t.id, t.title_digest, t.file, t.variant, l.case_number, l.source
    from tests t left join test_links l on l.project_id = t.project_id and l.test_id = t.id
    where t.project_id = ${projectId} and t.title_digest = any(${`{${digests.join(',')}}`}::uuid[])`.execute(db)
  return rows
}
