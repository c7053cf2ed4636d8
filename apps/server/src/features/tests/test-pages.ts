import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { JsonCursorPage } from '../../platform/database/reads.ts'

/** A page of tests, and how many there are, up to {@link MAX_TOTAL}. */
export interface TestPage extends JsonCursorPage {
  total: number
}

/** Lists count up to this number of tests. */
export const MAX_TOTAL = 10_000

/** @param from the statement after its select list, without order */
export async function countTests(db: Database, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 ${from} limit ${sql.lit(MAX_TOTAL)}) counted`.execute(db)
  return rows[0]?.count ?? 0
}

export const formatTestPage = ({ items, nextAfter, total }: TestPage): string =>
  `{"data":${items},"meta":{"next_after":${JSON.stringify(nextAfter)},"total":${total}}}`
