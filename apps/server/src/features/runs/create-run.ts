import type { IgnoredFields } from '@caseward/contract/field-values'
import type { CreateRunBody } from '@caseward/contract/runs'
import { sql } from 'kysely'
import type { Static } from '@caseward/contract/static'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { invalidProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { addConfigurationsToNewRun, getLastPlace, planNewRun } from '../combinations/run-configurations.ts'
import { addBuildData, saveDefaultBranch } from '../build-data/build-data.queries.ts'
import { readBuildData } from '../build-data/read-build-data.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { chooseTestCases } from './choose-test-cases.ts'
import { insertRunResults } from './insert-run-results.ts'
import { getRunGroup } from './run-groups.ts'
import { saveRunJob, toJobName } from './run-jobs.queries.ts'
import type { StoredValues } from '../fields/stored-values.ts'
import { readNewRunValues } from './run-fields.ts'
import { isMilestoneViolation, milestoneExists, UNKNOWN_MILESTONE } from './run-milestone.ts'
import { selectRun } from './runs.queries.ts'

type NewRun = Static<typeof CreateRunBody>

/**
 * Creates a run, or finds the run that has the requested key. Holds the lock on the project from the start, so that no
 * test case is deleted after it was chosen and no other request creates a run with the same key.
 * @param creator user id, or null for a CI token
 * @returns the run as a JSON object, whether it is new, and the values of fields that were not stored
 * @throws {Problem} 400 with every unknown test case, folder and milestone, or every invalid value of a field; 404 when the project is gone; 422 for too many
 *   combinations
 */
export async function createRun(
  db: Database,
  project: ProjectRef,
  creator: string | null,
  body: NewRun,
): Promise<{ run: string; isNew: boolean; ignoredFields?: IgnoredFields | undefined }> {
  try {
    return await transactionWithRowMutex(db, project.id, async (tx) => {
      const { fields_version: version, test_case_count: caseCount } = await requireLockedProject(tx, project.id)
      const existing = await findRunByKey(tx, project, body)
      if (existing !== null) return { run: existing, isNew: false }
      const { values, ignored } = await readNewRunValues(tx, project.id, body.fields ?? {}, {
        version,
        isAutomatic: creator === null,
      })
      const run = await insertRun(tx, project, creator, body, { values, caseCount })
      return { run, isNew: true, ignoredFields: ignored }
    })
  } catch (error) {
    // The milestone was deleted after the check.
    throw isMilestoneViolation(error) ? invalidProblem([UNKNOWN_MILESTONE]) : error
  }
}

/** Finds the run with the requested key. Sets how many shards it expects unless that is known, and the metadata that it lacks. */
async function findRunByKey(tx: Database, project: ProjectRef, body: NewRun): Promise<string | null> {
  const { run_key: runKey, expected_shards: expectedShards } = body
  if (runKey === undefined) return null
  const { rows } = await sql<{ id: string; expected_shards: number | null }>`
    select id, expected_shards from runs where project_id = ${project.id} and run_key = ${runKey}`.execute(tx)
  const [run] = rows
  if (run === undefined) return null
  const job = getJob(body)
  if (job !== null) {
    await saveRunJob(tx, { id: run.id, project }, job, expectedShards ?? null)
  } else if (run.expected_shards === null && expectedShards !== undefined) {
    await sql`
      update runs set expected_shards = ${expectedShards}, updated_at = now()
      where id = ${run.id} and expected_shards is null`.execute(tx)
  }
  await addBuildData(tx, { id: run.id, projectId: project.id }, body.metadata ?? {})
  return await selectRun(tx, run.id)
}

/** The CI job that begins to report; null if none is named. */
function getJob({ run_key: runKey, job = '' }: NewRun): string | null {
  const name = toJobName(job)
  return runKey === undefined || name === '' ? null : name
}

async function insertRun(
  tx: Database,
  project: ProjectRef,
  creator: string | null,
  body: NewRun,
  { values, caseCount }: { values: StoredValues | null; caseCount: number },
): Promise<string> {
  const milestoneId = body.milestone_id ?? null
  const isKeyed = body.run_key !== undefined && body.test_case_ids === undefined && body.folder_ids === undefined
  const addsTestCases = body.adds_test_cases ?? isKeyed
  // What CI runs decides what its run contains.
  const startsEmpty = isKeyed && addsTestCases
  const chosen = startsEmpty ? null : await chooseTestCases(tx, project, body)
  const errors = chosen?.errors ?? []
  const cases = startsEmpty ? null : (chosen?.condition ?? null)
  const plan =
    body.configurations === undefined || errors.length > 0
      ? null
      : await planNewRun(tx, project, body.configurations, cases, caseCount)
  errors.push(...(plan?.errors ?? []))
  if (milestoneId !== null && !(await milestoneExists(tx, project.id, milestoneId))) errors.push(UNKNOWN_MILESTONE)
  if (errors.length > 0) throw invalidProblem(errors)
  const job = getJob(body)
  const run = { id: uuidv7(), group: await takeRunGroup(tx, project.id), project }
  const buildData = readBuildData(body.metadata ?? {})
  await saveDefaultBranch(tx, project.id, buildData)
  await tx
    .insertInto('runs')
    .values({
      id: run.id,
      project_id: project.id,
      name: body.name,
      description: body.description ?? '',
      milestone_id: milestoneId,
      created_by: creator,
      run_key: body.run_key ?? null,
      metadata: JSON.stringify(body.metadata ?? {}),
      ...buildData,
      expected_shards: job === null ? (body.expected_shards ?? null) : null,
      run_group: run.group,
      adds_test_cases: addsTestCases,
      ...(values === null ? {} : { fields: JSON.stringify(values) }),
      ...(plan === null ? {} : { combination_count: 0, last_configuration_place: getLastPlace(plan.places) }),
    })
    .execute()
  if (job !== null) await saveRunJob(tx, run, job, body.expected_shards ?? null)
  const places = plan?.places ?? []
  // Test cases that differ in their combinations get them one selection after the other.
  const shared = places.every(({ condition }) => condition === null) ? places.map(({ place }) => place) : []
  const added = chosen === null ? 0 : await insertRunResults(tx, run, chosen.condition, { isNew: true, places: shared })
  if (plan !== null) await addConfigurationsToNewRun(tx, run, places, shared.length > 0 ? added : null)
  const created = await selectRun(tx, run.id)
  if (created === null) throw notFoundProblem('run')
  return created
}

/** Counts the new run and returns its group. */
export async function takeRunGroup(tx: Database, projectId: string): Promise<number> {
  const project = await tx
    .updateTable('projects')
    .set((row) => ({ run_count: row('run_count', '+', 1), last_run_number: row('last_run_number', '+', 1) }))
    .where('id', '=', projectId)
    .returning('last_run_number')
    .executeTakeFirstOrThrow()
  return getRunGroup(project.last_run_number)
}
