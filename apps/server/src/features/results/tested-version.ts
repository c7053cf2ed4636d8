import type { ResultDetail } from '@caseward/contract/result-rows'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { selectVersionAt } from '../case-versions/case-versions.queries.ts'
import { presentContent, readVersion, type StoredVersion } from '../case-versions/read-version.ts'
import { readFields } from '../fields/project-fields.ts'
import { placeSteps, type StoredSteps } from '../step-results/change-steps.ts'
import type { TestCaseFields } from '../test-cases/test-case-fields.ts'

export type TestedVersion = Required<
  Pick<ResultDetail, 'case_version' | 'is_pinned' | 'is_outdated' | 'tested_case' | 'tested_steps'>
>

/**
 * What decides about the tested version, as JSON: of a result `r` and its test case `c`. Null if the test case was never changed.
 * @param runId the id of the run, as SQL
 */
export const buildTestedColumns = (runId: string): string => `case when c.version > 1 then json_build_object(
    'number', c.number, 'current', c.version, 'pinned', r.case_version,
    'time', case when r.status = 'not_tested' then (select completed_at from runs where id = ${runId}) else r.tested_at end
  ) end`

interface TestedColumns {
  number: number
  current: number
  pinned: number | null
  /** When it was tested, or when the run ended; null before. */
  time: string | null
}

const NOT_TESTED: TestedVersion = {
  case_version: null,
  is_pinned: false,
  is_outdated: false,
  tested_case: null,
  tested_steps: [],
}

/**
 * Reads which version of its test case a result is about, and what that said.
 * @param columns those of {@link buildTestedColumns}
 * @param steps the results of steps
 * @returns null if the test case was never changed
 */
export async function readTestedVersion(
  db: Database,
  project: ProjectRef,
  columns: string | null,
  steps: StoredSteps | null,
): Promise<TestedVersion | null> {
  if (columns === null) return null
  const { number, current, pinned, time } = JSON.parse(columns) as TestedColumns
  if (pinned === null && time === null) return NOT_TESTED
  const version = pinned ?? (await selectVersionAt(db, project.id, number, time ?? '')) ?? current
  const tested = { ...NOT_TESTED, case_version: version, is_pinned: pinned !== null }
  if (version >= current) return tested
  const stored = await readKept(db, project.id, number, version)
  if (stored === null) return { ...tested, is_outdated: true }
  const { content } = stored
  const isSame = (name: keyof TestCaseFields) => JSON.stringify(content[name]) === JSON.stringify(stored.current[name])
  const hasSameText = TEXT_FIELDS.every(isSame)
  // A shared step may have got another title or version without another text.
  if (hasSameText && isSame('step_groups')) return { ...tested, case_version: stored.version }
  const fields = content.fields === null ? null : await readFields(db, project.id)
  return {
    case_version: stored.version,
    is_pinned: pinned !== null,
    is_outdated: !hasSameText,
    tested_case: presentContent(project, number, stored, fields),
    tested_steps: steps === null ? [] : placeSteps(steps, content.steps),
  }
}

const TEXT_FIELDS = ['title', 'precondition', 'steps', 'expected_result'] as const satisfies (keyof TestCaseFields)[]

/** Reads a version, or the one that it has become part of; null if it is not kept. */
async function readKept(
  db: Database,
  projectId: string,
  number: number,
  version: number,
): Promise<StoredVersion | null> {
  const found = await readVersion(db, projectId, number, version)
  if (found === null || 'content' in found) return found
  return found.extendedBy === null ? null : await readKept(db, projectId, number, found.extendedBy)
}
