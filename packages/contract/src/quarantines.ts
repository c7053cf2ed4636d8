import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { MAX_URL_LENGTH } from './link-schemas.ts'
import { CursorPage, CursorQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Id, Nullable, OneOf, Timestamp, TimestampInput } from './schemas.ts'
import { STABILITIES, testQuarantineExample } from './stability.ts'
import type { Static } from './static.ts'
import { testExample, testIdentity } from './test-fields.ts'

/** Days until a quarantine ends, unless the request says another time. */
export const DEFAULT_QUARANTINE_DAYS = 14
/** How far ahead its end can be, at any change. */
export const MAX_QUARANTINE_DAYS_AHEAD = 30
/** How long it can last in all. */
export const MAX_QUARANTINE_DAYS = 90
/** Tests in one request. */
export const MAX_QUARANTINED_TESTS = 100
/** The most quarantines of a project that are in effect. */
export const MAX_ACTIVE_QUARANTINES = 2000
export const MAX_REASON_LENGTH = 2000
export const MAX_BRANCH_PATTERNS = 10

const { id: _id, linked_by: _linkedBy, ...identity } = testIdentity
const { linked_by: _exampleLinkedBy, ...testOfExample } = testExample

export const Quarantine = Type.Object({
  id: Type.String({ description: 'Quarantine id.' }),
  test_id: Type.String({ description: 'Test id.' }),
  test: Nullable(
    Type.Object(
      {
        ...identity,
        stability: OneOf(STABILITIES, { description: 'How reliable it is: `stable` when it can return.' }),
      },
      { description: 'The test; null if it was deleted.' },
    ),
  ),
  reason: Type.String({ description: 'Why its failures do not block.' }),
  owner_id: Nullable(Type.String({ description: 'User id of who has to end it; null if the account was deleted.' })),
  owner_name: Nullable(Type.String({ description: 'Name of the owner.' })),
  link: Nullable(Type.String({ description: 'Address of an issue or pull request.' })),
  branches: Type.Array(Type.String(), { description: 'Patterns of the branches in which it holds; empty for all.' }),
  is_automatic: Type.Boolean({ description: 'Whether the project quarantined the test when it became flaky.' }),
  is_active: Type.Boolean({ description: 'Whether it is in effect.' }),
  created_by: Nullable(Type.String({ description: 'User id; null for an automatic one.' })),
  created_at: Timestamp('When it began.'),
  expires_at: Timestamp('When it ends, or would have ended, by itself.'),
  ended_at: Nullable(Timestamp('When it ended; null while it is in effect.')),
  ended_by: Nullable(Type.String({ description: 'User id of who ended it; null if it ended by itself.' })),
  end_reason: Nullable(Type.String({ description: 'Why it was ended.' })),
})
export type Quarantine = Static<typeof Quarantine>

const { id: exampleId, ...testIdentityExample } = testOfExample
const example: Quarantine = {
  ...testQuarantineExample,
  test_id: exampleId,
  test: { ...testIdentityExample, test_case_ids: [...testIdentityExample.test_case_ids], stability: 'flaky' },
  owner_name: 'Ada Lovelace',
  link: 'https://acme.atlassian.net/browse/SHOP-41',
  is_automatic: false,
  is_active: true,
  created_by: testQuarantineExample.owner_id,
  created_at: '2026-11-21T09:30:00.000Z',
  ended_at: null,
  ended_by: null,
  end_reason: null,
}

const text = (description: string) =>
  Type.String({ format: 'text', 'x-trim': true, minLength: 1, maxLength: MAX_REASON_LENGTH, description })
const owner_id = Id('User id of who has to end it: a member of the project. You, by default.')
const link = Nullable(
  Type.String({
    format: 'text',
    'x-trim': true,
    maxLength: MAX_URL_LENGTH,
    description: 'Address of an issue or pull request, with http or https.',
  }),
)
const branches = Type.Array(
  Type.String({ format: 'name', 'x-trim': true, minLength: 1, maxLength: 255, description: 'Pattern of a branch.' }),
  {
    maxItems: MAX_BRANCH_PATTERNS,
    description: 'Branches in which it holds, such as `main` or `release/*`; `*` stands for anything. Empty for all.',
  },
)
const expires_at = TimestampInput(
  `When it ends: up to ${MAX_QUARANTINE_DAYS_AHEAD} days from now, and up to ${MAX_QUARANTINE_DAYS} days after it began (\`expires_too_late\`).`,
)

export const CreateQuarantinesBody = Type.Object(
  {
    test_id: Type.Optional(Id('Test to quarantine. This or `test_ids` is required.')),
    test_ids: Type.Optional(
      Type.Array(Id('Test id.'), {
        minItems: 1,
        maxItems: MAX_QUARANTINED_TESTS,
        description: `Tests to quarantine, up to ${MAX_QUARANTINED_TESTS}: each gets an entry of its own, or none does.`,
      }),
    ),
    reason: text('Why failures of the test must not block for now.'),
    owner_id: Type.Optional(owner_id),
    link: Type.Optional(link),
    branches: Type.Optional(branches),
    expires_at: Type.Optional(expires_at),
  },
  {
    examples: [{ test_id: exampleId, reason: testQuarantineExample.reason, expires_at: '2026-12-05T09:30:00.000Z' }],
  },
)
export type CreateQuarantinesBody = Static<typeof CreateQuarantinesBody>

export const UpdateQuarantineBody = Type.Object(
  {
    reason: Type.Optional(text('New reason.')),
    owner_id: Type.Optional(owner_id),
    link: Type.Optional(link),
    branches: Type.Optional(branches),
    expires_at: Type.Optional(expires_at),
  },
  { examples: [{ expires_at: '2026-12-19T09:30:00.000Z' }] },
)
export type UpdateQuarantineBody = Static<typeof UpdateQuarantineBody>

const tags = ['Quarantine'] as const
const url = '/v1/projects/:project_id/quarantines'
const view = { permission: 'project:view', rateLimit: 'other' } as const
const manage = { permission: 'quarantine:manage', rateLimit: 'other' } as const
const QuarantineParams = Type.Object({
  ...ProjectParams.properties,
  quarantine_id: Type.String({ description: 'Quarantine id.' }),
})

export const listQuarantines = {
  method: 'GET',
  url,
  config: view,
  schema: {
    operationId: 'listQuarantines',
    tags,
    summary: 'List quarantines',
    description: 'Returns the quarantines of the project, also those that have ended, the newest first.',
    params: ProjectParams,
    querystring: Type.Object({
      active: Type.Optional(Type.Boolean({ description: '`true`: only those in effect. `false`: only ended ones.' })),
      owner_id: Type.Optional(Id('Only those of this user.')),
      test_id: Type.Optional(Id('Only those of this test.')),
      ending_within_days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_QUARANTINE_DAYS,
          description: 'Only those in effect that end within so many days.',
        }),
      ),
      ...CursorQuery,
    }),
    response: {
      200: { ...CursorPage(Quarantine), examples: [{ data: [example], meta: { next_after: null } }] },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const createQuarantines = {
  method: 'POST',
  url,
  config: manage,
  schema: {
    operationId: 'createQuarantines',
    tags,
    summary: 'Quarantine tests',
    description: `Failures of the tests do not block for a while; they run and are reported as before. Each has a reason, an owner, who is told by email 3 days before the end and at the end, and an end: ${DEFAULT_QUARANTINE_DAYS} days from now by default. A test that is quarantined already is 409 \`already_quarantined\`, and nothing is stored. A project can have ${MAX_ACTIVE_QUARANTINES.toLocaleString('en')} in effect (422 \`too_many_quarantines\`).`,
    params: ProjectParams,
    body: CreateQuarantinesBody,
    response: {
      201: { ...Type.Object({ data: Type.Array(Quarantine) }), examples: [{ data: [example] }] },
      ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429),
    },
  },
} as const satisfies Endpoint

export const updateQuarantine = {
  method: 'PATCH',
  url: `${url}/:quarantine_id`,
  config: manage,
  schema: {
    operationId: 'updateQuarantine',
    tags,
    summary: 'Change a quarantine',
    description: `Changes only what is in the request. After ${MAX_QUARANTINE_DAYS} days in all, a new one with a new reason is required. One that has ended is 409 \`quarantine_ended\`.`,
    params: QuarantineParams,
    body: UpdateQuarantineBody,
    response: {
      200: { ...Data(Quarantine), examples: [{ data: example }] },
      ...problems(400, 401, 403, 404, 409, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

export const endQuarantine = {
  method: 'DELETE',
  url: `${url}/:quarantine_id`,
  config: manage,
  schema: {
    operationId: 'endQuarantine',
    tags,
    summary: 'End a quarantine',
    description:
      'Failures of the test block again from the next evaluation on. The entry stays in the list. One that has ended already does not change.',
    params: QuarantineParams,
    body: Type.Object({ end_reason: Type.Optional(text('Why.')) }, { examples: [{ end_reason: 'Fixed in SHOP-41' }] }),
    response: {
      200: {
        ...Data(Quarantine),
        examples: [
          {
            data: {
              ...example,
              is_active: false,
              ended_at: '2026-11-24T08:00:00.000Z',
              ended_by: example.owner_id,
              end_reason: 'Fixed in SHOP-41',
            },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 413, 415, 429),
    },
  },
} as const satisfies Endpoint
