import type { CaseVersionRecord } from '../../own-records.ts'
import {
  type FindPerson,
  limitDepth,
  type Raw,
  readNumber,
  readObject,
  readString,
  readStrings,
} from './read-values.ts'

/** What a test case of a bundle was in a version that has ended: the earlier values of what changed then. */
export const toCaseVersion = (raw: Raw, findPerson: FindPerson): CaseVersionRecord => ({
  kind: 'case_version',
  key: readString(raw, 'key'),
  case: readString(raw, 'case'),
  version: readNumber(raw, 'version') ?? 0,
  next_version: readNumber(raw, 'next_version') ?? 0,
  before: limitDepth(readObject(raw, 'before')) as Raw,
  changed: readStrings(raw, 'changed'),
  changed_at: readString(raw, 'changed_at'),
  started_at: readString(raw, 'started_at'),
  changed_by: findPerson(readString(raw, 'changed_by')),
  via: readString(raw, 'via'),
  summary: readString(raw, 'summary'),
})
