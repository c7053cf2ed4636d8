import { type RawBuilder, sql } from 'kysely'

import { toLikePattern } from '../../platform/http/pagination.ts'

/** Whether `tests t` is linked to a test case. */
export const IS_LINKED = sql`exists (select from test_links l where l.project_id = t.project_id and l.test_id = t.id)`

/** Whether `tests t` is linked to one test case. */
export const isLinkedTo = (caseNumber: RawBuilder<unknown>) => sql`exists (
  select from test_links l where l.project_id = t.project_id and l.test_id = t.id and l.case_number = ${caseNumber}
)`

export const buildSearch = (search: string) =>
  sql`(t.suite || ' ' || t.name || ' ' || t.variant || ' ' || t.file) ilike ${toLikePattern(search)}`
