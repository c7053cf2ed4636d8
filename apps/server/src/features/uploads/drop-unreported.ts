import type { ReportedTest } from '@caseward/matching/attempt'

import type { UploadTests } from './read-titles.ts'

/**
 * Drops the tests that count only if the run has an outcome of them. A test that contains others is reported when it fails by
 * itself; when it passes later, that outcome must not stay.
 * @param steps.hasOutcomes whether the run has outcomes at all
 * @param steps.identify finds the tests of the project that the tests are
 * @param steps.selectReported returns those of the test ids of which the run has an outcome
 */
export async function dropUnreported(
  tests: readonly ReportedTest[],
  {
    hasOutcomes,
    identify,
    selectReported,
  }: {
    hasOutcomes: boolean
    identify: (tests: readonly ReportedTest[]) => Promise<UploadTests>
    selectReported: (testIds: readonly string[]) => Promise<ReadonlySet<string>>
  },
): Promise<readonly ReportedTest[]> {
  const certain = tests.filter((test) => test.isOnlyIfReported !== true)
  if (certain.length === tests.length) return tests
  if (!hasOutcomes) return certain
  // Last, so that they take no numbers from tests of the same names.
  const { all } = await identify([...certain, ...tests.filter((test) => test.isOnlyIfReported === true)])
  const optional = all.filter(({ test, known }) => test.isOnlyIfReported === true && known !== null)
  const reported = await selectReported(optional.map(({ known }) => known?.id ?? ''))
  const kept = optional.filter(({ known }) => known !== null && reported.has(known.id))
  return [...certain, ...kept.map(({ test }) => test)]
}
