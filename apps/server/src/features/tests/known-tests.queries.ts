import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { toDigest } from '../../platform/database/text-digest.ts'
import { createYielder } from '../../platform/yielder.ts'

export type LinkSource = 'id' | 'key' | 'hand'

/** A test that the project knows, with its links. */
export interface KnownTest {
  id: string
  titleKey: string
  file: string
  variant: string
  /** Numbers of the test cases that it is linked to. */
  caseNumbers: readonly number[]
  source: LinkSource | null
}

interface Row {
  id: string
  title_digest: string
  file: string
  variant: string
  case_number: number | null
  more_case_numbers: number[] | null
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
  const known: KnownTest[] = []
  for (let start = 0; start < digests.length; start += TITLES_PER_STATEMENT) {
    const batch = digests.slice(start, start + TITLES_PER_STATEMENT)
    for (const row of await selectRows(db, projectId, batch)) {
      known.push(toKnownTest(row, titleKeyByDigest.get(row.title_digest) ?? ''))
    }
  }
  return known
}

const TITLES_PER_STATEMENT = 20_000

async function selectRows(db: Database, projectId: string, digests: readonly string[]): Promise<Row[]> {
  // Nearly every test has at most one link, which needs no array.
  const { rows } = await sql<Row>`
    select t.id, t.title_digest, t.file, t.variant, l.case_number, l.source, l.more_case_numbers
    from tests t
    left join lateral (
      select min(case_number) as case_number, min(source) as source,
        case when count(*) > 1 then array_agg(case_number order by case_number) end as more_case_numbers
      from test_links where project_id = t.project_id and test_id = t.id
    ) l on true
    where t.project_id = ${projectId} and t.title_digest = any(${`{${digests.join(',')}}`}::uuid[])`.execute(db)
  return rows
}

const toKnownTest = (
  { id, file, variant, case_number, more_case_numbers, source }: Row,
  titleKey: string,
): KnownTest => ({
  id,
  titleKey,
  file,
  variant,
  caseNumbers: more_case_numbers ?? (case_number === null ? [] : [case_number]),
  source,
})
