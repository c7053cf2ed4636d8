import type { ReportedTest } from '@caseward/matching/attempt'
import { getTestOutcome } from '@caseward/matching/test-outcome'

import type { Source } from '../tests/combine-parts.ts'
import { toWholeMs } from '../tests/encode-attempts.ts'
import type { SourceUpload } from '../tests/run-uploads.queries.ts'
import type { SuiteError } from './suite-errors.queries.ts'
import type { UploadTest } from './upload-test.ts'

/** What one source contributes to an upload, with its tests. */
export interface SourceGroup extends SourceUpload {
  tests: UploadTest[]
  errors: SuiteError[]
}

/** Groups the tests and errors of an upload by report file, each of which is a source of its own. */
export function groupBySource(
  source: Source,
  tests: readonly UploadTest[],
  errors: readonly SuiteError[],
): SourceGroup[] {
  const groups = new Map<string, SourceGroup>()
  const getGroup = (report = source.report): SourceGroup => {
    let group = groups.get(report)
    if (group === undefined) {
      const counts = { testCount: 0, failedCount: 0, executedCount: 0, elapsedMs: null }
      group = { source: { ...source, report }, tests: [], errors: [], ...counts }
      groups.set(report, group)
    }
    return group
  }
  const count = ({ report, attempts }: ReportedTest): SourceGroup => {
    const group = getGroup(report)
    group.testCount += 1
    const { status, elapsedMs } = getTestOutcome(attempts)
    const wholeMs = toWholeMs(elapsedMs)
    if (wholeMs !== null) group.elapsedMs = (group.elapsedMs ?? 0) + wholeMs
    if (status === 'failed') group.failedCount += 1
    if (status === 'failed' || status === 'passed') group.executedCount += 1
    return group
  }
  for (const uploadTest of tests) {
    count(uploadTest.test).tests.push(uploadTest)
    for (const repeat of uploadTest.repeats) count(repeat)
  }
  for (const error of errors) getGroup(error.report).errors.push(error)
  // An upload without tests is recorded, too.
  if (groups.size === 0) getGroup()
  return [...groups.values()]
}
