import { SHARED_STEP_USES_PER_PAGE, type SharedStepUse } from '@caseward/contract/shared-step-uses'
import { SHARED_STEP_VERSIONS_PER_PAGE, type SharedStepVersion } from '@caseward/contract/shared-step-versions'
import type { SharedStep, SharedStepListItem } from '@caseward/contract/shared-steps'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalidFieldProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { formatTestCaseId, parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { requireSharedStep } from './change-shared-steps.ts'
import * as queries from './shared-steps.queries.ts'
import { countUses, selectUses } from './shared-step-uses.queries.ts'

export async function listSharedSteps(db: Database, projectId: string): Promise<SharedStepListItem[]> {
  const rows = await queries.selectSharedSteps(db, projectId)
  const counts = rows.length === 0 ? new Map<string, number>() : await countUses(db, projectId, 'all')
  return rows.map((row) => queries.presentListed(row, counts.get(row.id) ?? 0))
}

/**
 * @param version null for the current one
 * @throws {Problem} 404 for an unknown shared step or version
 */
export async function readSharedStep(
  db: Database,
  projectId: string,
  id: string,
  version: number | null,
): Promise<SharedStep> {
  const current = await requireSharedStep(db, projectId, id)
  const useCount = (await countUses(db, projectId, [id])).get(id) ?? 0
  if (version === null || version === current.version) return queries.presentSharedStep(current, useCount)
  const [earlier] = await queries.selectEarlierSharedSteps(db, projectId, [{ id, version }])
  if (earlier === undefined) throw notFoundProblem('version')
  return queries.presentSharedStep({ ...current, ...earlier }, useCount)
}

/** @throws {Problem} 404; 400 for an invalid cursor */
export async function listUses(
  db: Database,
  project: ProjectRef,
  id: string,
  after: string | null,
): Promise<{ data: SharedStepUse[]; meta: { next_after: string | null } }> {
  const afterNumber = after === null ? 0 : parseTestCaseNumber(after, project.prefix)
  if (afterNumber === null) throw invalidFieldProblem('/after', 'must be `next_after` of the previous page')
  await requireSharedStep(db, project.id, id)
  const limit = SHARED_STEP_USES_PER_PAGE
  const rows = await selectUses(db, project.id, id, { after: afterNumber, limit: limit + 1 })
  const data = rows.slice(0, limit).map(({ number, title, folder_id, step_groups: groups }) => {
    const own = groups?.filter(({ shared_step_id: groupId }) => groupId === id) ?? []
    return {
      test_case_id: formatTestCaseId(project.prefix, number),
      title,
      folder_id,
      version: Math.max(0, ...own.map(({ version }) => version)),
      follows: own.some(({ follows }) => follows),
    }
  })
  return { data, meta: { next_after: rows.length > limit ? (data.at(-1)?.test_case_id ?? null) : null } }
}

/** @throws {Problem} 404 */
export async function listVersions(
  db: Database,
  projectId: string,
  id: string,
  after: number | null,
): Promise<{ data: SharedStepVersion[]; meta: { next_after: number | null } }> {
  const current = await requireSharedStep(db, projectId, id)
  const limit = SHARED_STEP_VERSIONS_PER_PAGE
  const own = {
    version: current.version,
    title: current.title,
    step_count: current.steps.length,
    changed_by: current.updated_by,
    changed_at: current.updated_at,
  }
  const before = Math.min(after ?? current.version, current.version)
  const earlier = await queries.selectSharedStepVersions(db, projectId, id, { before, limit: limit + 1 })
  const rows = after === null ? [own, ...earlier] : earlier
  const data = rows.slice(0, limit).map(({ changed_at, ...row }) => ({ ...row, changed_at: presentTime(changed_at) }))
  return { data, meta: { next_after: rows.length > limit ? (data.at(-1)?.version ?? null) : null } }
}
