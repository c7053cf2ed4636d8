import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'

const PEOPLE_AT_ONCE = 100
const RUNS_PER_BATCH = 50

interface JoinedPerson {
  project_id: string
  id: string
  user_id: string
}

/**
 * The job that gives members what they did in other tools, as an imported person: if an admin has said who it is, or someone with the
 * email address has become a member. It goes on where it stopped.
 */
export const joinImportedPeopleJob: ScheduledJob = {
  name: 'join_imported_people',
  schedule: '*/2 * * * *',
  maxDelayMs: 10 * 60 * 1000,
  async run(db, signal) {
    await matchByEmail(db)
    const { rows } = await sql<JoinedPerson>`
      select project_id, id, user_id from imported_people where user_id is not null and joined_at is null
      order by project_id, id limit ${PEOPLE_AT_ONCE}`.execute(db)
    for (const person of rows) {
      if (!(await join(db, person, signal))) return
    }
  },
}

/** ASCII case only, as everywhere. A forgotten person has no email address. */
async function matchByEmail(db: Database): Promise<void> {
  await sql`
    update imported_people i set user_id = m.user_id
    from memberships m join users u on u.id = m.user_id
    where i.user_id is null and i.email is not null and m.project_id = i.project_id and u.disabled_at is null
      and lower(u.email collate "C") = lower(i.email collate "C")`.execute(db)
}

/** Returns whether it is done. */
async function join(db: Database, person: JoinedPerson, signal: AbortSignal): Promise<boolean> {
  const { project_id: projectId, id, user_id: userId } = person
  for (let after: string | null = null; ;) {
    if (signal.aborted) return false
    const { rows }: { rows: { id: string }[] } = await sql<{ id: string }>`
      select id from runs where project_id = ${projectId} and is_imported
        and (${after}::uuid is null or id > ${after}::uuid)
      order by id limit ${RUNS_PER_BATCH}`.execute(db)
    if (rows.length > 0) {
      await joinInRuns(
        db,
        person,
        rows.map((row) => row.id),
      )
    }
    after = rows.at(-1)?.id ?? null
    if (rows.length < RUNS_PER_BATCH) break
  }
  await db.transaction().execute(async (tx) => {
    await sql`
      update shared_steps set created_by = case when created_by = ${id} then ${userId}::uuid else created_by end,
        updated_by = case when updated_by = ${id} then ${userId}::uuid else updated_by end
      where project_id = ${projectId} and ${id}::uuid in (created_by, updated_by)`.execute(tx)
    await sql`
      update shared_step_versions set changed_by = ${userId}
      where project_id = ${projectId} and changed_by = ${id}`.execute(tx)
    await sql`
      update case_attachments set created_by = ${userId}
      where project_id = ${projectId} and created_by = ${id}`.execute(tx)
    await sql`
      update run_attachments set created_by = ${userId}
      where project_id = ${projectId} and created_by = ${id}`.execute(tx)
    await sql`
      update case_versions set changed_by = ${userId}
      where project_id = ${projectId} and changed_by = ${id}`.execute(tx)
    await sql`
      update comments set created_by = case when created_by = ${id} then ${userId}::uuid else created_by end,
        deleted_by = case when deleted_by = ${id} then ${userId}::uuid else deleted_by end
      where project_id = ${projectId} and ${id}::uuid in (created_by, deleted_by)`.execute(tx)
    await sql`
      update imported_people set joined_at = now()
      where project_id = ${projectId} and id = ${id} and user_id = ${userId}`.execute(tx)
  })
  return true
}

/** In a transaction, and the runs in the order in which all transactions lock them. */
async function joinInRuns(
  db: Database,
  { project_id: projectId, id, user_id: userId }: JoinedPerson,
  runIds: readonly string[],
): Promise<void> {
  const ofRuns = sql`project_id = ${projectId} and run_id = any(${[...runIds]}::uuid[])`
  await db.transaction().execute(async (tx) => {
    await sql`
      select from runs where project_id = ${projectId} and id = any(${[...runIds]}::uuid[])
      order by id for no key update`.execute(tx)
    await sql`update test_results set tested_by = ${userId} where ${ofRuns} and tested_by = ${id}`.execute(tx)
    await sql`update result_combinations set tested_by = ${userId} where ${ofRuns} and tested_by = ${id}`.execute(tx)
    await sql`
      update result_changes set tested_by = case when tested_by = ${id} then ${userId}::uuid else tested_by end,
        combinations = replace(combinations::text, ${id}, ${userId})::json
      where ${ofRuns} and (tested_by = ${id} or strpos(combinations::text, ${id}) > 0)`.execute(tx)
    await sql`
      update runs set created_by = case when created_by_person = ${id} then ${userId}::uuid else created_by end,
        created_by_person = nullif(created_by_person, ${id}),
        completed_by = case when completed_by_person = ${id} then ${userId}::uuid else completed_by end,
        completed_by_person = nullif(completed_by_person, ${id})
      where project_id = ${projectId} and id = any(${[...runIds]}::uuid[])
        and ${id}::uuid in (created_by_person, completed_by_person)`.execute(tx)
  })
}
