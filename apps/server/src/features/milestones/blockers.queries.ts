import { type Blocker, MAX_BLOCKERS } from '@caseward/contract/milestones'

import type { ProjectRef } from '../../access/project-cache.ts'
import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { toJsonString, toPlainJsonString } from '../../platform/http/json-text.ts'
import { resultFields } from '../results/result-columns.ts'
import { NOTE_LINE } from '../results/result-rows.ts'

/** Columns of a result `r`, its test case `c` and its run `run`. */
const fields: ColumnsOf<Blocker, ProjectRef> = {
  run_id: { sql: 'r.run_id', encode: toPlainJsonString },
  run_name: { sql: 'run.name', encode: toJsonString },
  result_id: { sql: 'r.id', encode: toPlainJsonString },
  test_case_id: resultFields.test_case_id,
  title: { sql: 'c.title', encode: toJsonString },
  priority: { sql: 'c.priority', encode: toPlainJsonString },
  status: { sql: 'r.status', encode: toPlainJsonString },
  note_line: { sql: NOTE_LINE, encode: toJsonString },
}
const columns = defineColumns<Blocker, ProjectRef>(fields)

const SELECT_BLOCKERS = `
  select ${columns.selectList}, count(*) over ()
  from milestones m
  join runs run on run.project_id = m.project_id and run.milestone_id = m.id and run.failed_count + run.blocked_count > 0
  cross join lateral (
    select * from test_results
    where project_id = $1 and run_id = run.id and status in ('failed', 'blocked') and case_number is not null
  ) r
  join test_cases c on c.project_id = $1 and c.number = r.case_number and c.priority in ('critical', 'high')
  where m.project_id = $1 and (m.id = $2 or m.parent_id = $2)
  order by c.priority = 'high', r.status, r.run_id desc, r.id limit ${MAX_BLOCKERS}`

/** What stands in the way of a milestone, with its number, as a JSON object; null when there is no such milestone. */
export async function selectBlockers(db: Database, project: ProjectRef, id: string): Promise<string | null> {
  if (!isUuid(id)) return null
  const rows = await runTextQuery(db, { text: SELECT_BLOCKERS, values: [project.id, id], useCustomPlan: true })
  if (rows.length === 0) {
    const text = 'select from milestones where project_id = $1 and id = $2'
    const found = await runTextQuery(db, { text, values: [project.id, id] })
    if (found.length === 0) return null
  }
  const items = rows.map((row) => columns.toJson(row, project)).join(',')
  return `{"data":[${items}],"meta":{"total":${rows[0]?.at(-1) ?? '0'}}}`
}
