import type { LinkedIssue } from '@caseward/contract/verdicts'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'

const MAX_ISSUES = 10

/**
 * Selects the defects that are linked to the test cases of tests, and to their results in a run, by test. Each address once, the
 * newest first.
 */
export async function selectIssues(
  db: Database,
  projectId: string,
  { testIds, runId }: { testIds: readonly string[]; runId: string | null },
): Promise<Map<string, LinkedIssue[]>> {
  const issues = new Map<string, LinkedIssue[]>()
  if (testIds.length === 0) return issues
  const ofTests = sql`tl.project_id = ${projectId} and tl.test_id = any(${[...testIds]}::uuid[])`
  const { rows } = await sql<{ test_id: string; label: string; url: string }>`${plannedAnew}
    select test_id, label, url from (
      select tl.test_id, l.label, l.url, l.id
      from test_links tl
      join links l on l.project_id = ${projectId} and l.case_number = tl.case_number and l.kind = 'defect'
      where ${ofTests}
      union
      select tl.test_id, l.label, l.url, l.id
      from test_links tl
      join test_results r
        on r.project_id = ${projectId} and r.run_id = ${runId}::uuid and r.case_number = tl.case_number and r.link_count > 0
      join links l on l.project_id = ${projectId} and l.run_id = r.run_id and l.result_id = r.id and l.kind = 'defect'
      where ${ofTests}
    ) found order by id desc`.execute(db)
  for (const { test_id: testId, label, url } of rows) {
    const known = issues.get(testId) ?? []
    if (known.length >= MAX_ISSUES || known.some((issue) => issue.url === url)) continue
    issues.set(testId, [...known, { label: label === '' ? url : label, url, is_done: null }])
  }
  return issues
}
