import type { TestAttemptRecord, TestOutcomeRecord, TestRecord } from '../../test-records.ts'
import { type Raw, readNumber, readObjects, readString } from './read-values.ts'

/*
 * Automated tests of a bundle, and what came of them in runs.
 */

export const toTest = (raw: Raw): TestRecord => ({
  kind: 'test',
  key: readString(raw, 'key'),
  file: readString(raw, 'file'),
  suite: readString(raw, 'suite'),
  name: readString(raw, 'name'),
  module: readString(raw, 'module'),
  variant: readString(raw, 'variant'),
  report_suite: readString(raw, 'report_suite'),
  title_key: readString(raw, 'title_key'),
  created_at: readString(raw, 'created_at'),
  retired_at: readString(raw, 'retired_at'),
  cases: readObjects(raw, 'cases').map((link) => ({
    case: readString(link, 'case'),
    source: readString(link, 'source'),
  })),
})

export const toTestOutcome = (raw: Raw): TestOutcomeRecord => ({
  kind: 'test_outcome',
  run: readString(raw, 'run'),
  test: readString(raw, 'test'),
  status: readString(raw, 'status'),
  is_flaky: raw['is_flaky'] === true,
  is_matched: raw['is_matched'] === true,
  attempt_count: readNumber(raw, 'attempt_count') ?? 1,
  attempts: Array.isArray(raw['attempts']) ? readObjects(raw, 'attempts').map(toAttempt) : null,
  elapsed_ms: readNumber(raw, 'elapsed_ms'),
  at: readString(raw, 'at'),
})

function toAttempt(raw: Raw): TestAttemptRecord {
  const steps = readObjects(raw, 'steps').map((step) => ({
    title: readString(step, 'title'),
    status: readString(step, 'status'),
    depth: readNumber(step, 'depth') ?? 0,
    elapsed_ms: readNumber(step, 'elapsed_ms'),
    message: readString(step, 'message'),
  }))
  return {
    status: readString(raw, 'status'),
    elapsed_ms: readNumber(raw, 'elapsed_ms'),
    message: readString(raw, 'message'),
    details: readString(raw, 'details'),
    started_at: readString(raw, 'started_at'),
    ...(steps.length === 0 ? {} : { steps }),
    ...(raw['steps_cut'] === true ? { steps_cut: true } : {}),
  }
}
