import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Id, Name, Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'
import { VIEW_PAGES } from './view-parameters.ts'

/** The most views of one person in a project. */
export const MAX_VIEWS = 100
/** The most shared views of a project. */
export const MAX_SHARED_VIEWS = 200
/** The most characters of a query. */
export const MAX_VIEW_QUERY_LENGTH = 4096
/** The most columns of a view. */
export const MAX_VIEW_COLUMNS = 50

const PageName = OneOf(VIEW_PAGES, {
  description: 'The page: test cases, runs, the results of a run, or automated tests.',
})

export const View = Type.Object({
  id: Type.String({ description: 'View id.' }),
  page: PageName,
  name: Type.String({ description: 'Name.' }),
  query: Type.String({
    description: "Filters and order, as the query of the page's address; empty text for the page as it opens.",
  }),
  columns: Nullable(
    Type.Array(Type.String(), {
      description: 'The columns of the list, in their order; null for those of the reader.',
    }),
  ),
  is_shared: Type.Boolean({ description: 'Whether all members of the project see it.' }),
  owner_id: Type.String({ description: 'User id of whoever created it. A shared view stays when they leave.' }),
  updated_at: Timestamp('When it was last changed.'),
})
export type View = Static<typeof View>

const viewFields = {
  name: Name('Name.'),
  query: Type.String({
    format: 'text',
    maxLength: MAX_VIEW_QUERY_LENGTH,
    description:
      "The query of the page's address, with or without `?`. It is stored in one form, without values that the page has by itself. A parameter that is not a filter or an order of the page is refused. What it names may be deleted later: the view stays.",
  }),
  columns: Nullable(
    Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_.-]{0,63}$' }), {
      maxItems: MAX_VIEW_COLUMNS,
      uniqueItems: true,
      description: 'The columns of the list, in their order; null for those of the reader.',
    }),
  ),
  is_shared: Type.Boolean({ description: 'Whether all members of the project see it. It requires `test-cases:edit`.' }),
}

export const CreateViewBody = Type.Object(
  {
    page: PageName,
    name: viewFields.name,
    query: viewFields.query,
    columns: Type.Optional(viewFields.columns),
    is_shared: Type.Optional(viewFields.is_shared),
  },
  { examples: [{ page: 'cases', name: 'Smoke, mobile', query: 'tag=smoke&tag=mobile', is_shared: true }] },
)
export type CreateViewBody = Static<typeof CreateViewBody>

export const UpdateViewBody = Type.Object(
  {
    name: Type.Optional(viewFields.name),
    query: Type.Optional(viewFields.query),
    columns: Type.Optional(viewFields.columns),
    is_shared: Type.Optional(viewFields.is_shared),
  },
  { minProperties: 1, examples: [{ query: 'tag=smoke' }] },
)
export type UpdateViewBody = Static<typeof UpdateViewBody>

export const DefaultView = Type.Object(
  {
    page: PageName,
    view_id: Nullable(Id('The view that the page opens with; null for none.')),
  },
  { examples: [{ page: 'cases', view_id: '019aa5c4-2b3c-7d4e-8f50-6b7c8d9e0f11' }] },
)
export type DefaultView = Static<typeof DefaultView>

const example: View = {
  id: '019aa5c4-2b3c-7d4e-8f50-6b7c8d9e0f11',
  page: 'cases',
  name: 'Smoke, mobile',
  query: 'tag=smoke&tag=mobile',
  columns: null,
  is_shared: true,
  owner_id: '019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40',
  updated_at: '2026-11-21T09:30:00.000Z',
}

const tags = ['Views'] as const
const config = { permission: 'views:keep', rateLimit: 'other' } as const
const view = { ...Data(View), examples: [{ data: example }] }
const listUrl = '/v1/projects/:project_id/views'
const params = Type.Object({ ...ProjectParams.properties, view_id: Type.String({ description: 'View id.' }) })
const NOT_YOURS =
  'Only whoever created a view, and admins of the project if it is shared, may do so: for others, the response is 403 `not_yours`.'

export const listViews = {
  method: 'GET',
  url: listUrl,
  config,
  schema: {
    operationId: 'listViews',
    tags,
    summary: 'List views',
    description: 'Returns your own views and the shared ones, by name, and with which ones your pages open.',
    params: ProjectParams,
    querystring: Type.Object({ page: Type.Optional(PageName) }),
    response: {
      200: {
        ...Type.Object({
          data: Type.Array(View),
          meta: Type.Object({
            defaults: Type.Array(DefaultView, { description: 'The pages that open with a view for you.' }),
          }),
        }),
        examples: [{ data: [example], meta: { defaults: [{ page: 'cases', view_id: example.id }] } }],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const createView = {
  method: 'POST',
  url: listUrl,
  config,
  schema: {
    operationId: 'createView',
    tags,
    summary: 'Create a view',
    description: `Keeps the filters, the order and the columns of a list under a name, for yourself or for all members. You can have ${MAX_VIEWS} views in a project, and a project ${MAX_SHARED_VIEWS} shared ones (422 \`too_many_views\`).`,
    params: ProjectParams,
    body: CreateViewBody,
    response: { 201: view, ...problems(400, 401, 403, 404, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const updateView = {
  method: 'PATCH',
  url: `${listUrl}/:view_id`,
  config,
  schema: {
    operationId: 'updateView',
    tags,
    summary: 'Change a view',
    description: `Changes what is sent. ${NOT_YOURS} An admin cannot make the shared view of someone else private.`,
    params,
    body: UpdateViewBody,
    response: { 200: view, ...problems(400, 401, 403, 404, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const deleteView = {
  method: 'DELETE',
  url: `${listUrl}/:view_id`,
  config,
  schema: {
    operationId: 'deleteView',
    tags,
    summary: 'Delete a view',
    description: `Deletes the view; the lists that it showed do not change. ${NOT_YOURS}`,
    params,
    response: { 204: { ...Type.Null(), description: 'The view was deleted.' }, ...problems(401, 403, 404, 429) },
  },
} as const satisfies Endpoint

export const setDefaultView = {
  method: 'PUT',
  url: `${listUrl}/default`,
  config,
  schema: {
    operationId: 'setDefaultView',
    tags,
    summary: 'Set with which view a page opens for you',
    description: 'It applies to you only, until the view is deleted or is no longer shared with you.',
    params: ProjectParams,
    body: DefaultView,
    response: {
      200: { ...Data(DefaultView), examples: [{ data: { page: 'cases', view_id: example.id } }] },
      ...problems(400, 401, 403, 404, 413, 415, 429),
    },
  },
} as const satisfies Endpoint
