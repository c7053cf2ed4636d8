import { JUnitError } from '@caseward/junit/junit-error'
import { createRun, deleteRun, type Run, uploadReports } from '@caseward/client/endpoints'

import { api } from '../../api.ts'
import { request } from '../../request-failed.ts'
import { createRunKey } from '../runs/new-run-choice.ts'
import { decodeXml } from './decode-xml.ts'

/** What became of an upload. */
export interface UploadedReports {
  /** Null if no report could be read, or one is an archive: then there is no run. */
  run: Run | null
  testCount: number
  matchedCount: number
  /** What was not stored, for people. */
  errors: readonly string[]
}

/**
 * Creates a run of what JUnit reports contain.
 * @throws {RequestFailed} when the server refuses it; no run is left then
 */
export async function sendReports(
  projectId: string,
  name: string,
  files: readonly File[],
  createsTestCases: boolean,
): Promise<UploadedReports> {
  const reports: { path: string; junit_xml: string }[] = []
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer())
    try {
      reports.push({ path: file.name, junit_xml: decodeXml(bytes) })
    } catch (error) {
      if (!(error instanceof JUnitError)) throw error
      return { run: null, testCount: 0, matchedCount: 0, errors: [`${file.name}: ${error.message}`] }
    }
  }
  const params = { project_id: projectId }
  const body = { name, run_key: createRunKey(), adds_test_cases: true }
  const run = (await request(api, createRun, { params, body })).data.data
  const remove = () => request(api, deleteRun, { params: { run_id: run.id } })
  try {
    const { data: receipt } = await request(api, uploadReports, {
      params: { run_id: run.id },
      body: { reports, create_test_cases: createsTestCases },
    })
    const isNothingRead = receipt.reports?.every(({ error }) => error !== null) === true
    if (isNothingRead) await remove()
    return {
      run: isNothingRead ? null : run,
      testCount: receipt.tests?.total ?? 0,
      matchedCount: receipt.tests?.matched ?? 0,
      errors: receipt.success ? [] : receipt.errors.map(({ test_case_id: of, error }) => `${of}: ${error}`),
    }
  } catch (error) {
    await remove().catch(() => {}) // the first error says what is wrong
    throw error
  }
}
