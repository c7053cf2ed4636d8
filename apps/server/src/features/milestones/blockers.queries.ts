import { type BLOCKER_PRIORITIES, type Blocker, BLOCKER_STATUSES } from '@caseward/contract/milestone-readiness'

import type { ProjectRef } from '../../access/project-cache.ts'
import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { isUuid } from '../../platform/http/ids.ts'
import type { PageRange } from '../../platform/http/pagination.ts'
import { toJsonString, toPlainJsonString } from '../../platform/http/json-text.ts'
import { resultFields } from '../results/result-columns.ts'
import { buildJoinCombinationNote, NOTE_LINE } from '../results/result-rows.ts'

/** Columns of a result `r`, its test case `c`, the note `w` of a combination, and its run `run`. */
const fields: ColumnsOf<Blocker, ProjectRef> = {
  run_id: { sql: 'r.run_id', encode: toPlainJsonString },
  run_name: { sql: 'run.name', encode: toJsonString },
  result_id: { sql: 'r.id', encode: toPlainJsonString },
  test_case_id: resultFields.test_case_id,
  title: { sql: 'coalesce(c.title, r.title)', encode: toJsonString },
  priority: { sql: 'c.priority', encode: toPlainJsonString },
  status: { sql: 'r.status', encode: toPlainJsonString },
  note_line: { sql: NOTE_LINE, encode: toJsonString },
}
const columns = defineColumns<Blocker, ProjectRef>(fields)

/** Whether a newer run of the same chain and milestone has tested the test case of `r` again, which counts instead. */
const WAS_TESTED_AGAIN = `exists (
  select from runs rerun
  join test_results again on again.project_id = $1 and again.run_id = rerun.id and again.status <> 'not_tested'
    and (again.case_number = r.case_number or r.case_number is null and again.case_number is null and again.title = r.title)
  where rerun.project_id = $1 and rerun.root_run_id = coalesce(run.root_run_id, run.id) and rerun.id > run.id
    and rerun.milestone_id in (select id from milestones where project_id = $1 and (id = $2 or parent_id = $2))
)`

const SELECT_BLOCKERS = `
  select ${columns.selectList}, count(*) over ()
  from milestones m
  join runs run on run.project_id = m.project_id and run.milestone_id = m.id and run.failed_count + run.blocked_count > 0
  cross join lateral (
    select * from test_results where project_id = $1 and run_id = run.id and status = any(string_to_array($3, ',')::result_status[])
  ) r
  left join test_cases c on c.project_id = $1 and c.number = r.case_number
  ${buildJoinCombinationNote('$1')}
  where m.project_id = $1 and (m.id = $2 or m.parent_id = $2) and ($4 = '' or c.priority = any(string_to_array($4, ',')::test_case_priority[]))
    and not ${WAS_TESTED_AGAIN}
  order by c.priority, r.status, r.run_id desc, r.id limit $5 offset $6`

interface BlockerFilter {
  status?: readonly Blocker['status'][] | undefined
  priority?: readonly (typeof BLOCKER_PRIORITIES)[number][] | undefined
}

/** What stands in the way of a milestone, a page as a JSON array with the number of all; null without the milestone. */
export async function selectBlockers(
  db: Database,
  project: ProjectRef,
  id: string,
  { status = BLOCKER_STATUSES, priority = ['critical', 'high'] }: BlockerFilter,
  { limit, offset }: Pick<PageRange, 'limit' | 'offset'>,
): Promise<{ items: string; total: number } | null> {
  if (!isUuid(id)) return null
  const priorities = priority.includes('any') ? '' : priority.join()
  const select = async (...range: [limit: number, offset: number]) =>
    await runTextQuery(db, {
      text: SELECT_BLOCKERS,
      values: [project.id, id, status.join(), priorities, ...range],
      useCustomPlan: true,
    })
  const rows = await select(limit, offset)
  if (rows.length === 0) {
    const text = 'select from milestones where project_id = $1 and id = $2'
    const found = await runTextQuery(db, { text, values: [project.id, id] })
    if (found.length === 0) return null
  }
  // A page after the last one has no row that knows the number of all.
  const [counted] = rows.length === 0 ? await select(1, 0) : rows
  return { items: `[${rows.map((row) => columns.toJson(row, project)).join()}]`, total: Number(counted?.at(-1) ?? 0) }
}
