import type { AttemptDetail, TestAttempt } from '@caseward/junit'

/** One attempt at a test, with only what matters. */
export const makeAttempt = (fields: Partial<TestAttempt> = {}): TestAttempt => ({
  name: 'logs in',
  classname: 'shop.Login',
  status: 'passed',
  flaky: false,
  elapsedSeconds: null,
  details: [],
  caseIds: [],
  line: 1,
  ...fields,
})

export const makeAttemptDetail = (kind: AttemptDetail['kind'], fields: Partial<AttemptDetail> = {}): AttemptDetail => ({
  kind,
  type: '',
  message: '',
  text: '',
  cut: false,
  ...fields,
})
