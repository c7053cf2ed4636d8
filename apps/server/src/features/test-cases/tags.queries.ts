import { MAX_LISTED_TAGS } from '@caseward/contract/tags'

import type { Database } from '../../platform/database/connect.ts'
import { buildJsonRow, jsonValue } from '../../platform/database/json-rows.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'

const tagJson = buildJsonRow<{ tag: string; test_case_count: number }>({
  tag: jsonValue('tag'),
  test_case_count: jsonValue('count'),
})

/**
 * Reads all test cases of the project, which takes a few milliseconds for 10,000. Counters would cost every change of tags
 * a lock on rows that all test cases share.
 */
const SELECT_TAGS = `
  select (
    select '[' || coalesce(string_agg(${tagJson}, ',' order by tag), '') || ']' from (
      select tag, count(*) from test_cases c, unnest(c.tags) tag where c.project_id = $1 and c.archived_at is null
      group by tag order by count desc, tag limit ${MAX_LISTED_TAGS}
    ) tags
  )
  from projects p where p.id = $1`

/** The tags of a project with their numbers of test cases as a JSON array; null when the project is gone. */
export async function selectTags(db: Database, projectId: string): Promise<string | null> {
  const [row] = await runTextQuery(db, { text: SELECT_TAGS, values: [projectId] })
  return row?.[0] ?? null
}
