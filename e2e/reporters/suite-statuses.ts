/* What the suites of `fixtures/` are stored as, in every version of their framework. */

export const JEST_STATUSES = {
  'WEB-1': 'passed',
  'WEB-2': 'failed',
  'WEB-3': 'not_tested',
  'WEB-4': 'not_tested',
  'WEB-5': 'passed',
  'WEB-6': 'failed',
  'WEB-7': 'failed',
  'WEB-8': 'failed',
  'WEB-9': 'failed',
  'WEB-10': 'passed',
  'WEB-11': 'passed',
  'WEB-12': 'passed',
  'WEB-13': 'not_tested',
  'WEB-14': 'failed',
  'WEB-15': 'passed',
  'WEB-16': 'failed',
  'WEB-17': 'passed',
  'WEB-18': 'passed',
  'WEB-19': 'failed',
  'WEB-20': 'passed',
  'WEB-21': 'failed',
  // Jest reports tests whose hook failed as failed.
  'WEB-22': 'failed',
  'WEB-23': 'failed',
  'WEB-24': 'failed',
  'WEB-25': 'passed',
}

export const VITEST_STATUSES = {
  'WEB-1': 'passed',
  'WEB-2': 'failed',
  'WEB-3': 'not_tested',
  'WEB-4': 'not_tested',
  'WEB-5': 'not_tested',
  'WEB-6': 'failed',
  'WEB-7': 'passed',
  'WEB-8': 'failed',
  'WEB-9': 'not_tested',
  'WEB-10': 'failed',
  'WEB-11': 'failed',
  'WEB-12': 'passed',
  'WEB-13': 'failed',
  'WEB-14': 'failed',
  'WEB-15': 'passed',
  'WEB-16': 'passed',
  'WEB-17': 'passed',
  'WEB-18': 'passed',
  'WEB-19': 'passed',
  'WEB-20': 'passed',
  'WEB-21': 'passed',
  'WEB-22': 'passed',
  'WEB-23': 'failed',
  'WEB-24': 'passed',
  'WEB-25': 'failed',
  'WEB-26': 'blocked',
  'WEB-27': 'blocked',
  'WEB-28': 'not_tested',
  'WEB-29': 'failed',
  'WEB-30': 'failed',
  'WEB-31': 'passed',
  'WEB-32': 'blocked',
  'WEB-34': 'passed',
  'WEB-35': 'failed',
}

/** What is printed of the errors outside of tests. */
export const VITEST_ERRORS =
  /the suite is incomplete: 3 errors outside of tests .*after all: not closed.*does-not-load\.test\.ts: .*not-there.*late-error\.test\.ts: nobody waited/

export const MOCHA_STATUSES = {
  'WEB-1': 'passed',
  'WEB-2': 'failed',
  'WEB-3': 'not_tested',
  'WEB-4': 'not_tested',
  'WEB-5': 'not_tested',
  'WEB-6': 'failed',
  'WEB-7': 'failed',
  'WEB-8': 'failed',
  'WEB-9': 'passed',
  'WEB-10': 'passed',
  'WEB-11': 'passed',
  'WEB-12': 'not_tested',
  'WEB-13': 'failed',
  'WEB-14': 'failed',
  'WEB-15': 'failed',
  'WEB-16': 'passed',
  'WEB-17': 'failed',
  'WEB-18': 'passed',
  'WEB-19': 'failed',
  'WEB-20': 'blocked',
  'WEB-21': 'passed',
  'WEB-22': 'passed',
  'WEB-23': 'not_tested',
  'WEB-27': 'blocked',
  'WEB-29': 'passed',
}

/**
 * Mocha reports no events for these tests. They are known from the tree of suites, which is missing in parallel mode.
 */
export const MOCHA_STATUSES_FROM_TREE = {
  'WEB-24': 'blocked',
  'WEB-25': 'not_tested',
  'WEB-26': 'blocked',
  'WEB-28': 'blocked',
  'WEB-30': 'blocked',
}

/** Statuses of the recordings of Cypress. */
export const CYPRESS_STATUSES = {
  'WEB-1': 'passed',
  'WEB-2': 'failed',
  'WEB-3': 'passed',
  'WEB-4': 'not_tested',
  'WEB-5': 'passed',
  'WEB-6': 'passed',
  'WEB-7': 'failed',
  'WEB-8': 'failed',
  'WEB-9': 'blocked',
  'WEB-10': 'blocked',
  'WEB-11': 'passed',
  'WEB-12': 'failed',
}
