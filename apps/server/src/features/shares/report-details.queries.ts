import { FILE_KINDS, type FileKind } from '@caseward/contract/attachment-schemas'
import type { StepResult } from '@caseward/contract/step-results'

import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery, type TextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import type { CaseStep } from '../step-results/align-steps.ts'
import { placeSteps } from '../step-results/change-steps.ts'

/** A result whose details are shown. */
export interface DetailedResult {
  runId: string
  id: string
}

/** A file of a result, by the id of its attachment. */
export interface ReportFile {
  id: string
  name: string
  kind: FileKind
  byteCount: number
  width: number | null
  height: number | null
}

/** A step of a test case with its result. */
export interface ReportStep extends StepResult {
  /** Null if the test case was deleted. */
  action: string | null
}

/** The most files of a result that are shown. */
const MAX_FILES = 24

const toQuery = (text: string, projectId: string, results: readonly DetailedResult[]): TextQuery => ({
  text,
  values: [projectId, toArrayLiteral(results.map(({ runId }) => runId)), toArrayLiteral(results.map(({ id }) => id))],
  useCustomPlan: true,
})

/** Files of the results themselves, and of the tests of their test cases, which can be at another result of the run. */
const SELECT_FILES = `
  select input.id, a.id, a.name, f.kind, f.byte_count, f.width, f.height
  from unnest($2::uuid[], $3::uuid[]) as input (run_id, id)
  cross join lateral (
    select id, name, file_id from run_attachments
    where project_id = $1 and run_id = input.run_id and result_id = input.id and file_id is not null
    union
    select of_test.id, of_test.name, of_test.file_id
    from test_results r
    join test_links l on l.project_id = $1 and l.case_number = r.case_number
    join run_attachments of_test
      on of_test.project_id = $1 and of_test.run_id = input.run_id and of_test.test_id = l.test_id
    where r.project_id = $1 and r.run_id = input.run_id and r.id = input.id and of_test.file_id is not null
    order by id limit ${MAX_FILES}
  ) a
  join files f on f.project_id = $1 and f.id = a.file_id and not f.is_lost
  order by a.id`

/** The files of results that have arrived and were not removed, by the ids of the results. */
export async function selectReportFiles(
  db: Database,
  projectId: string,
  results: readonly DetailedResult[],
): Promise<Map<string, ReportFile[]>> {
  const files = new Map<string, ReportFile[]>()
  if (results.length === 0) return files
  for (const row of await runTextQuery(db, toQuery(SELECT_FILES, projectId, results))) {
    const [resultId, id, name, kind, byteCount, width = null, height = null] = row
    const file = {
      id: id ?? '',
      name: name ?? '',
      kind: FILE_KINDS[Number(kind)] ?? 'other',
      byteCount: Number(byteCount),
      width: width === null ? null : Number(width),
      height: height === null ? null : Number(height),
    }
    files.set(resultId ?? '', [...(files.get(resultId ?? '') ?? []), file])
  }
  return files
}

const SELECT_STEPS = `
  select input.id, s.steps, s.case_steps, c.steps
  from unnest($2::uuid[], $3::uuid[]) as input (run_id, id)
  join step_results s on s.project_id = $1 and s.run_id = input.run_id and s.result_id = input.id and s.place = 0
  join test_results r on r.project_id = $1 and r.run_id = input.run_id and r.id = input.id
  left join lateral (
    select steps from test_cases where project_id = $1 and number = r.case_number limit 1
  ) c on true`

/** The steps of results that have a status or an actual result, by the ids of the results. */
export async function selectReportSteps(
  db: Database,
  projectId: string,
  results: readonly DetailedResult[],
): Promise<Map<string, ReportStep[]>> {
  if (results.length === 0) return new Map()
  const rows = await runTextQuery(db, toQuery(SELECT_STEPS, projectId, results))
  return new Map(
    rows.map(([id, steps, digests, caseSteps = null]) => {
      const ofCase = caseSteps === null ? null : (JSON.parse(caseSteps) as CaseStep[])
      const stored = { steps: JSON.parse(steps ?? '[]') as StepResult[], caseSteps: digests ?? '' }
      const placed = placeSteps(stored, ofCase)
      return [id ?? '', placed.map((step) => ({ ...step, action: ofCase?.[step.position - 1]?.action ?? null }))]
    }),
  )
}

/** An attachment of a run of the report. */
export interface SharedFile {
  fileId: string
  name: string
}

/** Finds an attachment of one of the runs; undefined when there is none, or its content is not there. */
export async function selectSharedFile(
  db: Database,
  projectId: string,
  runIds: readonly string[],
  id: string,
): Promise<SharedFile | undefined> {
  const [row] = await runTextQuery(db, {
    text: `
      select file_id, name from run_attachments
      where project_id = $1 and run_id = any($2::uuid[]) and id = $3 and file_id is not null
        and (result_id is not null or test_id is not null)`,
    values: [projectId, toArrayLiteral(runIds), id],
  })
  return row === undefined ? undefined : { fileId: row[0] ?? '', name: row[1] ?? '' }
}
