import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { Data, Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'
import { CaseContent, ChangedTestCaseProblem, pickExample, Summary, TestCase } from './test-case-schemas.ts'
import { IfMatchHeaders, TestCaseParams } from './test-cases.ts'

/** The number of earlier versions that are kept of a test case. */
export const MAX_CASE_VERSIONS = 1000
export const VERSIONS_PER_PAGE = 50

export const VERSION_SOURCES = ['web', 'api', 'import', 'bulk', 'restore', 'shared_step', 'review', 'merge'] as const
export type VersionSource = (typeof VERSION_SOURCES)[number]

const versionNumber = Type.Integer({ description: 'Number of the version.' })

/** What a version is, without its content. */
export const CaseVersionEntry = Type.Object({
  version: versionNumber,
  changed_at: Nullable(
    Timestamp('When it was saved, of several saves the last one; null if it is from before versions were kept.'),
  ),
  changed_by: Nullable(Type.String({ description: 'User id of the author; null if unknown.' })),
  via: Nullable(
    OneOf(VERSION_SOURCES, {
      description:
        'How it was saved: in the browser (`web`), by the API with a token (`api`), by an import, with many test cases at once (`bulk`), by a change of a shared step, or by restoring an earlier version. Null for a new test case, or if unknown.',
    }),
  ),
  changed: Type.Array(Type.String(), {
    description:
      'Names of the fields that differ from the version before, such as `title`, or `fields.severity` for a custom field; those of deleted fields are `fields`. Empty for the oldest version that is kept.',
  }),
  summary: Nullable(Type.String({ description: 'What the author said about the change.' })),
})
export type CaseVersionEntry = Static<typeof CaseVersionEntry>

/** A test case as it was, and what made it so. */
export const CaseVersion = Type.Object({ ...CaseContent.properties, ...CaseVersionEntry.properties })
export type CaseVersion = Static<typeof CaseVersion>

const entryExample = {
  version: 7,
  changed_at: '2026-11-21T09:30:00.000Z',
  changed_by: '019aa5b0-11aa-7b7b-8c8c-9d9d0e0e1f1f',
  via: 'web',
  changed: ['title', 'steps'],
  summary: null,
}

const url = '/v1/projects/:project_id/test-cases/:test_case_id/versions'
const tags = ['Test cases'] as const

export const VersionParams = Type.Object({
  ...TestCaseParams.properties,
  version: Type.String({ description: 'Number of the version.' }),
})

export const listCaseVersions = {
  method: 'GET',
  url,
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'listCaseVersions',
    tags,
    summary: 'List the versions of a test case',
    description: `Returns the versions that can be read, the newest first, ${VERSIONS_PER_PAGE} on a page. Every change of a field is a version. What one person saves in the browser within ten minutes, up to thirty in all, is one version with the number of the last save, unless someone has tested the test case in between. ${MAX_CASE_VERSIONS.toLocaleString('en')} earlier versions are kept.`,
    params: TestCaseParams,
    querystring: Type.Object({
      after: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          description: '`next_after` of the previous page; the first page without it.',
        }),
      ),
    }),
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(CaseVersionEntry),
          meta: Type.Object({
            next_after: Nullable(Type.Integer({ description: 'Cursor of the next page; null on the last.' })),
          }),
        }),
        examples: [{ data: [entryExample], meta: { next_after: null } }],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const getCaseVersion = {
  method: 'GET',
  url: `${url}/:version`,
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getCaseVersion',
    tags,
    summary: 'Get a version of a test case',
    description:
      'Returns the test case as it was. Folders, people and options may not exist any more. A version that is not kept, or that later saves have become part of, is 404; the detail names the version that can be read instead.',
    params: VersionParams,
    response: {
      200: { ...Data(CaseVersion), examples: [{ data: { ...pickExample(CaseContent), ...entryExample } }] },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const SKIP_REASONS = ['not_found', 'not_a_member', 'retired', 'in_use', 'required', 'invalid'] as const

/** The test case after a version was restored. */
export const RestoredTestCase = Type.Object({
  ...TestCase.properties,
  skipped: Type.Array(
    Type.Object({
      field: Type.String({ description: 'Name of the field, such as `folder_id` or `fields.severity`.' }),
      reason: OneOf(SKIP_REASONS, {
        description:
          "`not_found`: the folder, option or shared step was deleted; steps of a shared step (`step_groups`) are restored as the test case's own. `not_a_member`: the person left. `retired`: the field or option is retired. `in_use`: another test case has the automation key. `required`: the field must have a value now. `invalid`: the field has other limits now.",
      }),
    }),
    { description: 'What could not be restored, and stays as it is.' },
  ),
})
export type RestoredTestCase = Static<typeof RestoredTestCase>

export const restoreCaseVersion = {
  method: 'POST',
  url: `${url}/:version/restore`,
  config: { permission: 'test-cases:edit', rateLimit: 'other' },
  schema: {
    operationId: 'restoreCaseVersion',
    tags,
    summary: 'Restore a version of a test case',
    description:
      'Gives the test case the fields that it had, as a new version. What does not exist any more stays as it is, and is listed in `skipped`.',
    params: VersionParams,
    headers: IfMatchHeaders,
    body: Type.Object({ summary: Summary }, { examples: [{ summary: 'The new steps were wrong' }] }),
    response: {
      200: { ...Data(RestoredTestCase), examples: [{ data: { ...pickExample(TestCase), skipped: [] } }] },
      ...problems(400, 401, 403, 404, 413, 415, 422, 429),
      412: {
        ...ChangedTestCaseProblem,
        description: 'The test case has changed since the version in `If-Match`; `current` contains it as it is now.',
      },
    },
  },
} as const satisfies Endpoint
