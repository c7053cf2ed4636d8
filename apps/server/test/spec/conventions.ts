import type { Requirements } from './requirement.ts'

export const conventions: Requirements = {
  'identifiers-are-strings': 'identifiers are strings',
  'timestamps-are-iso-8601-in-utc': 'timestamps are ISO 8601 in UTC',
  'a-nullable-field-without-a-value-is-there-as': 'a nullable field without a value is present with the value null',
  'bodies-of-answers-are-json': 'response bodies are JSON',
  'bodies-of-requests-are-json-and-say-so': 'request bodies are JSON with a JSON content type',
  'page-integer-default-1': 'page: integer, default 1',
  'per_page-integer-default-20': 'per_page: integer, default 20',
  'per_page-at-most-100': 'per_page: at most 100',
  'lists-answer-data-and-meta-of-page-per_page': 'lists return data and meta of page, per_page, total',
  'a-single-project-is-wrapped-in-data': 'a single project is wrapped in data',
  'a-single-test-case-is-wrapped-in-data': 'a single test case is wrapped in data',
  'a-single-result-is-wrapped-in-data': 'a single result is wrapped in data',
  'a-milestone-is-at-top-level': 'a milestone is returned without a data wrapper',
  'members-and-invitations-are-at-top-level': 'members and invitations are returned without a data wrapper',
  'optional-fields-may-be-left-out': 'optional fields may be left out',
  'updates-change-only-the-fields-sent': 'updates change only the fields sent',
  'success-codes-not-stated-decided-201-for-what':
    'undocumented success codes: 201 for a creation, 200 otherwise (our choice)',
  'a-body-that-is-stated-is-required': 'a documented body is required',
  'all-operations-are-there-under-their-methods': 'all operations exist under their methods',
}
