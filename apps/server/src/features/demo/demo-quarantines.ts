import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import { insertQuarantines, updateEnded } from '../quarantines/quarantines.queries.ts'
import { getTestName } from './demo-results.ts'
import type { Demo } from './execute-runs.ts'

interface DemoQuarantine {
  /** Place of the test. */
  place: number
  reason: string
  startDay: number
  endDay: number
  /** Why and when it ended before that; null while it is in effect. */
  end: { reason: string; day: number } | null
}

const demoQuarantines: readonly DemoQuarantine[] = [
  {
    place: 15,
    reason: 'Depends on the time of day. SHOP-371',
    startDay: -20,
    endDay: -6,
    end: { reason: 'The test sets the time now.', day: -9 },
  },
  {
    place: 3,
    reason: 'Looks at the list before it has loaded. Ada looks into it: SHOP-402',
    startDay: -13,
    endDay: 1,
    end: null,
  },
  {
    place: 10,
    reason: 'The test system answers late at night. SHOP-409',
    startDay: -4,
    endDay: 10,
    end: null,
  },
]

/** Quarantines some of the flaky tests: one entry has ended, and one ends tomorrow. */
export async function addQuarantines({ deps, project, cases, adminId, testerIds, toTime }: Demo): Promise<void> {
  const { db } = deps
  for (const { place, reason, startDay, endDay, end } of demoQuarantines) {
    const { id: testId } = await db
      .selectFrom('tests')
      .select('id')
      .where('project_id', '=', project.id)
      .where('name', '=', getTestName(cases, place))
      .executeTakeFirstOrThrow()
    const id = uuidv7()
    await insertQuarantines(db, project.id, [{ id, testId, reason }], {
      ownerId: testerIds[0] ?? adminId,
      createdBy: adminId,
      link: null,
      branches: [],
      expiresAt: toTime(endDay),
      isAutomatic: false,
    })
    if (end !== null) await updateEnded(db, project.id, id, { endedBy: adminId, reason: end.reason })
    await sql`
      update quarantines set created_at = ${toTime(startDay)}, ended_at = ${end === null ? null : toTime(end.day)}
      where project_id = ${project.id} and id = ${id}`.execute(db)
  }
}
