import type { Requirements } from './requirement.ts'

export const conventions: Requirements = {
  'identifiers-are-strings': 'identifiers are strings',
  'timestamps-are-iso-8601-in-utc': 'timestamps are ISO 8601 in UTC',
  'a-nullable-field-without-a-value-is-there-as': 'a nullable field without a value is there, as null',
  'bodies-of-answers-are-json': 'bodies of answers are JSON',
  'bodies-of-requests-are-json-and-say-so': 'bodies of requests are JSON and say so',
  'page-integer-default-1': 'page: integer, default 1',
  'per_page-integer-default-20': 'per_page: integer, default 20',
  'per_page-at-most-100': 'per_page: at most 100',
  'lists-answer-data-and-meta-of-page-per_page': 'lists answer data and meta of page, per_page, total',
  'a-single-project-is-wrapped-in-data': 'a single project is wrapped in data',
  'a-single-test-case-is-wrapped-in-data': 'a single test case is wrapped in data',
  'a-single-result-is-wrapped-in-data': 'a single result is wrapped in data',
  'a-milestone-is-at-top-level': 'a milestone is at top level',
  'members-and-invitations-are-at-top-level': 'members and invitations are at top level',
  'optional-fields-may-be-left-out': 'optional fields may be left out',
  'updates-change-only-the-fields-sent': 'updates change only the fields sent',
  'success-codes-not-stated-decided-201-for-what':
    'success codes not stated: decided, 201 for what is created, 200 for the rest',
  'a-body-that-is-stated-is-required': 'a body that is stated is required',
  'all-operations-are-there-under-their-methods': 'all operations are there under their methods',
}
