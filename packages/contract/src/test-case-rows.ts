import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { RowPage, RowQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { MAX_ACTIVE_FIELDS } from './field-values.ts'
import { Id } from './schemas.ts'
import type { Static } from './static.ts'
import { makeOptional, pickSchemas } from './test-case-fields.ts'
import { archivedAtWhenSet, pickExample, TestCase } from './test-case-schemas.ts'
import { listTestCases, testCaseFilters } from './test-cases.ts'

const { id, position, automation_key, updated_at, version } = TestCase.properties

/** A test case with the fields that a table of test cases shows. */
export const TestCaseRow = Type.Object({
  id,
  ...pickSchemas('read', { inRows: 'always' }),
  position,
  automation_key,
  updated_at,
  version,
  ...makeOptional(pickSchemas('read', { inRows: 'when_set' })),
  ...makeOptional(pickSchemas('read', { inRows: 'chosen' })),
  ...archivedAtWhenSet,
})
export type TestCaseRow = Static<typeof TestCaseRow>

/** The same route as {@link listTestCases}, with `fields=row`. */
export const listTestCaseRows = {
  method: 'GET',
  url: listTestCases.url,
  config: listTestCases.config,
  schema: {
    operationId: 'listTestCaseRows',
    tags: listTestCases.schema.tags,
    summary: 'List test cases as compact rows',
    description: 'Returns the fields that a table of test cases needs, up to 2,000 test cases per page.',
    params: listTestCases.schema.params,
    querystring: Type.Object({
      ...testCaseFilters,
      ...RowQuery(Id),
      sort: listTestCases.schema.querystring.properties.sort,
      columns: Type.Optional(
        Type.String({
          format: 'text',
          // Keys of up to 40 characters.
          maxLength: MAX_ACTIVE_FIELDS * 41,
          description: `With \`fields=row\`: keys of custom fields, separated by commas, up to ${MAX_ACTIVE_FIELDS}. Rows have these of \`fields\`; none by default.`,
        }),
      ),
    }),
    response: {
      200: {
        ...RowPage(TestCaseRow),
        examples: [{ data: [pickExample(TestCaseRow)], meta: { page: 1, per_page: 2000, total: 1, next_after: null } }],
      },
      ...problems(400, 401, 403, 404, 422, 429),
    },
  },
} as const satisfies Endpoint
