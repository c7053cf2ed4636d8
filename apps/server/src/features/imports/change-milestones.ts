import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { MilestoneValues } from './plan-milestones.ts'

/** What a milestone was, and what it becomes. */
export interface MilestoneChange {
  readonly id: string
  readonly from: MilestoneValues
  readonly to: MilestoneValues
}

const COLUMNS = [
  ['name', 'text'],
  ['description', 'text'],
  ['start_date', 'timestamptz'],
  ['due_date', 'timestamptz'],
  ['status', 'milestone_status'],
] as const satisfies readonly (readonly [keyof MilestoneValues, string])[]

/**
 * Changes the values of milestones that still are what they were. What was edited meanwhile stays.
 * @returns the milestones of which something stayed
 */
export async function changeMilestones(
  tx: Database,
  projectId: string,
  changes: readonly MilestoneChange[],
): Promise<ReadonlySet<string>> {
  if (changes.length === 0) return new Set()
  const values = COLUMNS.map(([column, type]) => {
    const read = (side: 'from' | 'to') => sql`(item.${sql.ref(side)} ->> ${sql.lit(column)})::${sql.raw(type)}`
    return { column: sql.ref(column), current: sql.ref(`m.${column}`), from: read('from'), to: read('to') }
  })
  const set = values.map(
    ({ column, current, from, to }) =>
      sql`${column} = case when ${current} is not distinct from ${from} then ${to} else ${current} end`,
  )
  const stayed = values.map(
    ({ current, from, to }) => sql`(${from} is distinct from ${to} and ${current} is distinct from ${to})`,
  )
  const { rows } = await sql<{ id: string; stayed: boolean }>`
    update milestones m set ${sql.join(set)}, updated_at = now()
    from json_to_recordset(${toStoredJson(changes)}) as item (id uuid, "from" json, "to" json)
    where m.project_id = ${projectId} and m.id = item.id
    returning m.id, ${sql.join(stayed, sql` or `)} as stayed`.execute(tx)
  return new Set(rows.flatMap((row) => (row.stayed ? [row.id] : [])))
}
