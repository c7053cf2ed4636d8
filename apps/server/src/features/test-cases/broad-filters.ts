import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { type Conditions, type Source, SOURCES } from './test-case-filters.ts'

/*
 * A filter by a custom field that matches much of a large project. To count and collect a million matches takes a second, and
 * the page that one sees has fifty. So the matches are counted up to a limit, and a page of more is read in its order until it
 * is full.
 */

/** The largest total of a list with a filter or an order by custom fields: it means this many or more. */
export const MAX_COUNTED = 10_000

/** Whether more test cases match than are counted. */
export async function isBroad(
  db: Database,
  project: ProjectRef,
  source: Source,
  { sql, values }: Conditions,
): Promise<boolean> {
  if (source === 'small') return false
  const [row] = await runTextQuery(db, {
    text: `
      select count(*) from (
        select from ${SOURCES[source]} c where c.project_id = $1 and ${sql} limit ${MAX_COUNTED + 1}
      ) found`,
    values: [project.id, ...values],
    useCustomPlan: true,
  })
  return Number(row?.[0]) > MAX_COUNTED
}
