import type { ChangedTestCase } from '@caseward/contract/test-case-batches'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { PlacedTestCase } from './make-room.ts'
import { formatTestCaseId } from './test-case-ids.ts'

/** Lists the test cases that a request has written, then those that only made room. */
export function listChanged(
  { prefix }: ProjectRef,
  written: readonly PlacedTestCase[],
  shifted: readonly PlacedTestCase[],
): ChangedTestCase[] {
  // One that was both written and shifted was written last.
  const byNumber = new Map([...written, ...shifted, ...written].map((testCase) => [testCase.number, testCase]))
  return [...byNumber.values()].map(({ number, ...testCase }) => ({
    id: formatTestCaseId(prefix, number),
    ...testCase,
  }))
}
