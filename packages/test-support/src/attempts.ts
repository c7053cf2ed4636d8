import type { AttemptDetail, TestAttempt } from '@caseward/junit'

/** Creates an attempt as `@caseward/junit` reads it from a report. */
export const makeAttempt = (fields: Partial<TestAttempt> = {}): TestAttempt => ({
  name: 'logs in',
  classname: 'shop.Login',
  suite: 1,
  context: { names: [], file: '', hostname: '', variant: '', files: [], dialect: null },
  file: '',
  startedAt: null,
  status: 'passed',
  unknownStatus: null,
  retryMark: null,
  isFlaky: false,
  elapsedSeconds: null,
  details: [],
  caseIds: [],
  evidence: null,
  line: 1,
  ...fields,
})

/** Creates the details of a failed, skipped or otherwise remarkable attempt. */
export const makeAttemptDetail = (kind: AttemptDetail['kind'], fields: Partial<AttemptDetail> = {}): AttemptDetail => ({
  kind,
  type: '',
  message: '',
  text: '',
  isTruncated: false,
  ...fields,
})
