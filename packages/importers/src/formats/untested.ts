import type { ResultRecord } from '../records.ts'

/** A test case that a run has, and that nobody has tested there. */
export const createUntested = (run: string, testCase: string): ResultRecord => ({
  kind: 'result',
  run,
  case: testCase,
  status: 'Untested',
  note: '',
  elapsed_seconds: null,
  person: '',
  at: '',
  defects: [],
})
