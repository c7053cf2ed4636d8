import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { FileContent } from './files.ts'
import { RECORD_ACTIONS, RECORD_KINDS } from './import-kinds.ts'
import { CaseSource, Import, ImportedRecord, importExample, recordExample } from './import-schemas.ts'
import { CreateImportBody, ImportSettings } from './import-settings.ts'
import { CursorPage, CursorQuery, PageQuery } from './pagination.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Nullable, OneOf } from './schemas.ts'
import { TestCaseParams } from './test-cases.ts'

/*
 * Imports of files from other tools, in stages: reading and planning store nothing in the project, applying does.
 */

/** The largest file. */
export const MAX_IMPORT_BYTES = 200 * 1024 * 1024

const tags = ['Imports'] as const
const url = '/v1/projects/:project_id/imports'
const config = { permission: 'test-cases:edit', rateLimit: 'other' } as const

const ImportParams = Type.Object({
  ...ProjectParams.properties,
  import_id: Type.String({ description: 'Import id.' }),
})

const one = { ...Data(Import), examples: [{ data: importExample }] }
const accepted = (description: string) => ({ 202: { ...one, description }, ...problems(400, 401, 403, 404, 409, 429) })

export const createImport = {
  method: 'POST',
  url,
  config,
  schema: {
    operationId: 'createImport',
    tags,
    summary: 'Import a file from another tool',
    description:
      'Reads a file of another tool, whose format is recognized by its content, and plans what would be stored. Nothing in the project changes until the plan is applied. Read the import again until its state is `planned` or `failed`.',
    params: ProjectParams,
    body: CreateImportBody,
    response: { 201: one, ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const listImports = {
  method: 'GET',
  url,
  config,
  schema: {
    operationId: 'listImports',
    tags,
    summary: 'List the imports of a project',
    description: 'Returns imports, the newest first.',
    params: ProjectParams,
    querystring: Type.Object(CursorQuery),
    response: {
      200: { ...CursorPage(Import), examples: [{ data: [importExample], meta: { next_after: null } }] },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const getImport = {
  method: 'GET',
  url: `${url}/:import_id`,
  config,
  schema: {
    operationId: 'getImport',
    tags,
    summary: 'Get an import',
    description:
      'Returns what was read, the plan, progress, and the proof: what was counted in the project afterwards.',
    params: ImportParams,
    response: { 200: one, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const listImportRecords = {
  method: 'GET',
  url: `${url}/:import_id/records`,
  config,
  schema: {
    operationId: 'listImportRecords',
    tags,
    summary: 'List what an import contains',
    description: 'Returns each object of the file in its order, with what the plan does with it.',
    params: ImportParams,
    querystring: Type.Object({
      kind: Type.Optional(OneOf(RECORD_KINDS, { description: 'Only of this kind.' })),
      action: Type.Optional(OneOf(RECORD_ACTIONS, { description: 'Only with this action.' })),
      loss: Type.Optional(
        Type.String({ format: 'text', maxLength: 100, description: 'Only with a loss of this code.' }),
      ),
      search: Type.Optional(
        Type.String({ format: 'text', maxLength: 255, description: 'Only with this text in the title or key.' }),
      ),
      similar: Type.Optional(
        OneOf(['true'], { description: 'Only test cases that would be created although there are similar ones.' }),
      ),
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 2_147_483_647,
          description: '`next_after` of the previous page; the first page without it.',
        }),
      ),
      per_page: PageQuery.per_page,
    }),
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(ImportedRecord),
          meta: Type.Object({
            next_after: Nullable(Type.Integer({ description: 'Cursor of the next page; null on the last.' })),
          }),
        }),
        examples: [{ data: [recordExample], meta: { next_after: null } }],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const planImport = {
  method: 'POST',
  url: `${url}/:import_id/plan`,
  config,
  schema: {
    operationId: 'planImport',
    tags,
    summary: 'Plan an import again with other choices',
    description:
      'Replaces the choices of the import, and makes its plan again. What is left out is as suggested. Not once it is applied: 409 `import_applied`.',
    params: ImportParams,
    body: ImportSettings,
    response: { ...accepted('The plan is being made.'), ...problems(413, 415) },
  },
} as const satisfies Endpoint

export const applyImport = {
  method: 'POST',
  url: `${url}/:import_id/apply`,
  config,
  schema: {
    operationId: 'applyImport',
    tags,
    summary: 'Apply the plan of an import',
    description:
      'Stores what the plan says, in batches, while others go on working. One import of a project is applied at a time: 409 `import_running`. A plan that was made again meanwhile is 409 `plan_changed`. A plan that creates custom fields needs an admin.',
    params: ImportParams,
    body: Type.Object(
      { plan: Type.String({ format: 'text', maxLength: 64, description: '`plan` of the import.' }) },
      { examples: [{ plan: importExample.plan }] },
    ),
    response: { ...accepted('The plan is being applied.'), ...problems(413, 415) },
  },
} as const satisfies Endpoint

const withoutBody = (
  action: 'cancel' | 'resume',
  { summary, description, done }: { summary: string; description: string; done: string },
) =>
  ({
    method: 'POST',
    url: `${url}/:import_id/${action}`,
    config,
    schema: {
      operationId: `${action}Import` as const,
      tags,
      summary,
      description,
      params: ImportParams,
      response: accepted(done),
    },
  }) as const satisfies Endpoint

export const cancelImport = withoutBody('cancel', {
  summary: 'Cancel an import',
  description: 'Ends reading, planning or applying after the current batch. What was stored stays, and can be undone.',
  done: 'It ends after the current batch.',
})

export const resumeImport = withoutBody('resume', {
  summary: 'Resume an import',
  description: 'Goes on with an import that was cancelled or has failed. Nothing is stored twice.',
  done: 'It goes on.',
})

/** The most conflicts that one request names. */
const MAX_CONFLICTS = 1000

export const resolveConflicts = {
  method: 'POST',
  url: `${url}/:import_id/conflicts`,
  config,
  schema: {
    operationId: 'resolveConflicts',
    tags,
    summary: 'Decide conflicts of an import',
    description:
      'Decides about test cases that were changed here and in the source, and stayed as they were here. `source` takes what the source says, as a new version; `current` keeps what is here, and the next import does not ask again. Only after the import was applied, and for 30 days: 409 `not_applied`. A conflict that was decided already is left as it is.',
    params: ImportParams,
    body: Type.Object(
      {
        record_ids: Type.Optional(
          Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
            minItems: 1,
            maxItems: MAX_CONFLICTS,
            description: '`seq` of the records; all conflicts of the import without it.',
          }),
        ),
        use: OneOf(['source', 'current'], { description: 'Whose values the test cases have afterwards.' }),
      },
      { examples: [{ record_ids: [3], use: 'source' }] },
    ),
    response: { 200: one, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
  },
} as const satisfies Endpoint

export const getImportReport = {
  method: 'GET',
  url: `${url}/:import_id/report`,
  config: { ...config, sendsFile: true },
  schema: {
    operationId: 'getImportReport',
    tags,
    summary: 'Download the report of an import',
    description:
      'Returns a file with each object of the source, what happened to it, and what is not as it was. `json` also has the plan and the proof. 30 days after the end, only these are left.',
    params: ImportParams,
    querystring: Type.Object({
      format: Type.Optional(OneOf(['json', 'csv'], { description: 'Format of the file.', default: 'json' })),
    }),
    response: { 200: { ...FileContent, description: 'The file.' }, ...problems(400, 401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const undoImport = {
  method: 'POST',
  url: `${url}/:import_id/undo`,
  config: { permission: 'project:settings', rateLimit: 'other' },
  schema: {
    operationId: 'undoImport',
    tags,
    summary: 'Undo an import',
    description:
      'Deletes the test cases that the import has created and nobody has touched since, and its folders that are empty then. Test cases that it changed get back what they were, unless someone has changed them since. What someone works with stays.',
    params: ImportParams,
    response: accepted('It is being undone.'),
  },
} as const satisfies Endpoint

export const deleteImport = {
  method: 'DELETE',
  url: `${url}/:import_id`,
  config,
  schema: {
    operationId: 'deleteImport',
    tags,
    summary: 'Delete an import',
    description:
      'Deletes its file and what was read. What it has stored stays, and is found again by the next import of the source. Not while it works: 409 `import_running`.',
    params: ImportParams,
    response: { 204: Type.Null({ description: 'The import is deleted.' }), ...problems(401, 403, 404, 409, 429) },
  },
} as const satisfies Endpoint

export const getCaseSource = {
  method: 'GET',
  url: '/v1/projects/:project_id/test-cases/:test_case_id/source',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getCaseSource',
    tags,
    summary: 'Find out where a test case comes from',
    description: 'Returns what other tools call the test case, and what they say of it that has no place here.',
    params: TestCaseParams,
    response: {
      200: {
        ...Type.Object({ data: Type.Array(CaseSource, { description: 'One for each source; empty for none.' }) }),
        examples: [{ data: [] }],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
