import type { Step, StepGroup } from '@caseward/contract/steps'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { type CaseAuthor } from '../case-versions/case-author.ts'
import { forgetOldest } from '../case-versions/record-versions.ts'
import { notifyTestCasesChanged } from '../events/notify-distributed-change.ts'
import { buildChangedDigest, hashSteps } from '../test-cases/content-digest.ts'

/*
 * The test cases that use shared steps. Shared steps stay on the coordinator, so that no statement joins the two.
 */

/** Counts the test cases that use shared steps; those that none uses are missing. */
export async function countUses(
  db: Database,
  projectId: string,
  ids: readonly string[] | 'all',
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; count: number }>`
    select shared_step_id as id, count(*)::int as count from shared_step_uses
    where project_id = ${projectId} ${ids === 'all' ? sql`` : sql`and shared_step_id = any(${[...ids]}::uuid[])`}
    group by shared_step_id`.execute(db)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Replaces what is known of the uses of test cases. */
export async function saveUses(
  tx: Database,
  projectId: string,
  items: readonly { number: number; ids: readonly string[]; isNew?: boolean }[],
): Promise<void> {
  const existing = items.filter(({ isNew }) => isNew !== true).map(({ number }) => number)
  if (existing.length > 0) {
    await sql`
      delete from shared_step_uses
      where project_id = ${projectId} and case_number = any(${existing}::int[])`.execute(tx)
  }
  const uses = items.flatMap(({ number, ids }) => ids.map((id) => ({ number, id })))
  if (uses.length === 0) return
  await sql`
    insert into shared_step_uses (project_id, shared_step_id, case_number)
    select ${projectId}, id, number
    from unnest(${uses.map(({ id }) => id)}::uuid[], ${uses.map(({ number }) => number)}::int[]) as used (id, number)
  `.execute(tx)
}

/** The numbers of the test cases that use a shared step. */
export async function selectUsers(tx: Database, projectId: string, id: string): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select case_number as number from shared_step_uses
    where project_id = ${projectId} and shared_step_id = ${id} order by case_number`.execute(tx)
  return rows.map(({ number }) => number)
}

export interface CaseUse {
  number: number
  title: string
  folder_id: string | null
  step_groups: StepGroup[] | null
}

/** Selects test cases that use a shared step, by number. */
export async function selectUses(
  db: Database,
  projectId: string,
  id: string,
  { after, limit }: { after: number; limit: number },
): Promise<CaseUse[]> {
  const { rows } = await sql<CaseUse>`
    select c.number, c.title, c.folder_id, c.step_groups
    from shared_step_uses u join test_cases c on c.project_id = u.project_id and c.number = u.case_number
    where u.project_id = ${projectId} and c.project_id = ${projectId} and u.shared_step_id = ${id}
      and u.case_number > ${after}
    order by u.case_number limit ${limit}`.execute(db)
  return rows
}

export interface CaseSteps {
  number: number
  version: number
  steps: Step[]
  step_groups: StepGroup[] | null
}

/** Locks test cases, and returns their steps in the order of their numbers. */
export async function lockSteps(tx: Database, projectId: string, numbers: readonly number[]): Promise<CaseSteps[]> {
  const { rows } = await sql<CaseSteps>`
    select number, version, steps, step_groups from test_cases
    where project_id = ${projectId} and number = any(${[...numbers]}::int[])
    order by number for no key update`.execute(tx)
  return rows
}

/** New steps of a test case, or only what is said of where they come from. */
export interface StepsWrite {
  number: number
  version: number
  /** Null to leave the steps as they are. */
  steps: Step[] | null
  step_groups: StepGroup[] | null
}

/** Keeps the versions of test cases and writes their steps, in two statements for all of them. The caller has locked them. */
export async function writeSteps(
  tx: Database,
  projectId: string,
  { userId, tokenId, via, summary }: CaseAuthor,
  writes: readonly StepsWrite[],
): Promise<void> {
  if (writes.length === 0) return
  const numbers = writes.map(({ number }) => number)
  await sql`
    insert into case_versions
      (project_id, case_number, version, next_version, before, changed, changed_by, token_id, via, summary, changed_at)
    select ${projectId}, c.number, c.version, c.version + 1,
      case when item.has_steps then json_build_object('steps', c.steps, 'step_groups', c.step_groups)
        else json_build_object('step_groups', c.step_groups) end,
      case when item.has_steps then array['steps', 'step_groups'] else array['step_groups'] end,
      ${userId}::uuid, ${tokenId}::uuid, ${via}::version_source, ${summary}::text, statement_timestamp()
    from unnest(${numbers}::int[], ${writes.map(({ steps }) => steps !== null)}::boolean[]) as item (number, has_steps)
    join test_cases c on c.project_id = ${projectId} and c.number = item.number`.execute(tx)
  await forgetOldest(tx, projectId, writes)
  const items = writes.map(({ number, steps, step_groups }) => ({
    number,
    ...(steps === null ? {} : { steps, steps_hash: hashSteps(steps) }),
    step_groups,
  }))
  await sql`
    update test_cases c set
      steps = coalesce(item.steps, c.steps), step_groups = item.step_groups,
      content_digest = ${sql.raw(buildChangedDigest('null', 'item.steps_hash'))},
      version = c.version + 1, updated_by = ${userId}::uuid, updated_at = statement_timestamp()
    from json_to_recordset(${JSON.stringify(items)}) as item (number int, steps json, steps_hash text, step_groups json)
    where c.project_id = ${projectId} and c.number = item.number`.execute(tx)
  await notifyTestCasesChanged(tx, projectId, numbers)
}
