import type {
  LeftOutRecord,
  OutcomePartRecord,
  QuarantineRecord,
  SuiteErrorRecord,
  TestAttemptRecord,
  TestOutcomeRecord,
  TestRecord,
} from '../../test-records.ts'
import {
  type FindPerson,
  type Raw,
  readNullableString,
  readNumber,
  readObject,
  readObjects,
  readString,
  readStrings,
} from './read-values.ts'

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

export function toTestOutcome(raw: Raw): TestOutcomeRecord {
  const source = readNumber(raw, 'source')
  const parts = readObjects(raw, 'parts').map((part): OutcomePartRecord => ({
    source: readNumber(part, 'source') ?? 0,
    ...toOutcome(part),
  }))
  return {
    kind: 'test_outcome',
    run: readString(raw, 'run'),
    test: readString(raw, 'test'),
    is_matched: raw['is_matched'] === true,
    ...toOutcome(raw),
    ...(source === null ? {} : { source }),
    ...(parts.length === 0 ? {} : { parts }),
  }
}

const toOutcome = (raw: Raw) => ({
  status: readString(raw, 'status'),
  is_flaky: raw['is_flaky'] === true,
  attempt_count: readNumber(raw, 'attempt_count') ?? 1,
  attempts: Array.isArray(raw['attempts']) ? readObjects(raw, 'attempts').map(toAttempt) : null,
  elapsed_ms: readNumber(raw, 'elapsed_ms'),
  at: readString(raw, 'at'),
})

export const toSuiteError = (raw: Raw): SuiteErrorRecord => ({
  kind: 'suite_error',
  key: readString(raw, 'key'),
  run: readString(raw, 'run'),
  location: readString(raw, 'location'),
  message: readString(raw, 'message'),
  shard: readString(raw, 'shard'),
  source: readNumber(raw, 'source'),
  at: readString(raw, 'at'),
})

/** What was left out is the row of a table, with the times of which it is. */
export function toLeftOut(raw: Raw, findPerson: FindPerson): LeftOutRecord {
  const [run, content, isTest] = [readString(raw, 'run'), readObject(raw, 'content'), raw['of'] === 'test']
  const parts = readObjects(raw, 'parts').map((part) => ({ ...part, at: part['tested_at'] }))
  return {
    kind: 'left_out',
    key: readString(raw, 'key'),
    run,
    name: readString(raw, 'name'),
    outcome: isTest
      ? toTestOutcome({ ...content, run, test: content['test_id'], at: content['tested_at'], parts })
      : null,
    error: isTest ? null : toSuiteError({ ...content, run, key: content['id'], at: content['reported_at'] }),
    person: findPerson(readString(raw, 'person')),
    at: readString(raw, 'at'),
  }
}

export const toQuarantine = (raw: Raw, findPerson: FindPerson): QuarantineRecord => ({
  kind: 'quarantine',
  key: readString(raw, 'key'),
  test: readString(raw, 'test'),
  reason: readString(raw, 'reason'),
  owner: findPerson(readString(raw, 'owner')),
  link: readNullableString(raw, 'link'),
  branches: readStrings(raw, 'branches'),
  is_automatic: raw['is_automatic'] === true,
  created_by: findPerson(readString(raw, 'created_by')),
  created_at: readString(raw, 'created_at'),
  expires_at: readString(raw, 'expires_at'),
  ended_at: readString(raw, 'ended_at'),
  ended_by: findPerson(readString(raw, 'ended_by')),
  end_reason: readNullableString(raw, 'end_reason'),
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
