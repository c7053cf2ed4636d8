import { Type, type TSchema, type TString } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { Nullable, OneOf, Uuid } from './schemas.ts'
import type { Static } from './static.ts'

/** The largest page of a list, and of a list of compact rows. */
export const MAX_PER_PAGE = 100
export const MAX_ROWS_PER_PAGE = 2000

/** `page` and `per_page`, the query of every paginated list. */
export const PageQuery = {
  // 1e400 would be parsed as infinity, which JSON cannot represent in the response.
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1, description: 'Page number, from 1.' }),
  ),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PER_PAGE, default: 20, description: 'Number of items per page.' }),
  ),
}

/** `after` of a list with the newest first, which grows while it is read. */
export const AfterQuery = {
  after: Type.Optional(
    Uuid(
      'Return only items after the one with this id, the last of the previous page, in place of `page`: no item is missing or returned twice if others are added meanwhile.',
    ),
  ),
}

/** The position of a page in its list. */
export const PageMeta = Type.Object({
  page: Type.Integer({ description: 'Page number.' }),
  per_page: Type.Integer({ description: 'Number of items per page.' }),
  total: Type.Integer({ description: 'Number of items on all pages.' }),
})

/** A page of a list: `{data: […], meta: {page, per_page, total}}`. */
export function Page<S extends TSchema>(item: S) {
  return Type.Object({ data: Type.Array(item), meta: PageMeta })
}

/** `after` and `per_page`, the query of a list that is read by cursor: each page takes the same time. */
export const CursorQuery = {
  after: Type.Optional(Uuid('`next_after` of the previous page; the first page without it.')),
  per_page: PageQuery.per_page,
}

/** A page of a list that is read by cursor: `{data: […], meta: {next_after}}`. */
export function CursorPage<S extends TSchema>(item: S) {
  return Type.Object({
    data: Type.Array(item),
    meta: Type.Object({
      next_after: Nullable(Type.String({ description: 'Cursor of the next page; null on the last.' })),
    }),
  })
}

/**
 * The query of a list of compact rows. Reading all pages with `after` takes the same time for each page, and returns every
 * row once, also while rows are added or deleted.
 * @param Cursor the schema of the items' ids
 */
export const RowQuery = <S extends TString>(Cursor: (description: string) => S) => ({
  fields: OneOf(['row'], { description: 'Return compact rows.' }),
  after: Type.Optional(Cursor('`next_after` of the previous page; the first page without it.')),
  page: PageQuery.page,
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ROWS_PER_PAGE, default: 20, description: 'Number of rows per page.' }),
  ),
})

/** The position of a page of compact rows in its list. */
export const RowPageMeta = Type.Object({
  ...PageMeta.properties,
  next_after: Nullable(Type.String({ description: 'Cursor of the next page; null on the last.' })),
})

/** A page of compact rows: `{data: […], meta: {page, per_page, total, next_after}}`. */
export function RowPage<S extends TSchema>(row: S) {
  return Type.Object({ data: Type.Array(row), meta: RowPageMeta })
}

/** An endpoint that lists items. */
interface ListEndpoint extends Endpoint {
  readonly schema: Endpoint['schema'] & {
    readonly querystring: TSchema & { readonly properties: Readonly<Record<string, TSchema>> }
    readonly response: Endpoint['schema']['response'] & { readonly 200: TSchema }
  }
}

/**
 * The route that serves a list and, with `fields=row`, its compact rows. The client has an endpoint for each, because their
 * items differ; for HTTP they are one operation.
 */
export function withRows<L extends ListEndpoint, R extends ListEndpoint>(list: L, rows: R) {
  const { schema } = list
  const { properties } = schema.querystring
  const rowProperties = rows.schema.querystring.properties
  const ofRowsOnly = Object.entries(rowProperties).filter(([name]) => !Object.hasOwn(properties, name))
  return {
    ...list,
    schema: {
      ...schema,
      description: `${schema.description} ${ROWS_DESCRIPTION}`,
      querystring: Type.Unsafe<Static<L['schema']['querystring']> | Static<R['schema']['querystring']>>(
        Type.Object({
          ...properties,
          ...Object.fromEntries(ofRowsOnly),
          fields: Type.Optional(describeFields(properties['fields'])),
          after: Type.Optional(describe(rowProperties['after'], AFTER_DESCRIPTION)),
          per_page: Type.Optional(describe(rowProperties['per_page'], PER_PAGE_DESCRIPTION)),
        }),
      ),
      response: {
        ...schema.response,
        200: Type.Union([schema.response[200], rows.schema.response[200]], {
          description: 'A page of the list; with `fields=row`, a page of compact rows.',
        }),
      },
    },
  }
}

const ROWS_DESCRIPTION =
  'With `fields=row`, it returns compact rows, up to 2,000 per page, and `meta.next_after`. To read a whole list, send that as `after` until it is null: each page takes the same time, and no row is missing or returned twice if others are added or deleted meanwhile.'
const AFTER_DESCRIPTION = 'With `fields=row`: `next_after` of the previous page, in place of `page`.'
const PER_PAGE_DESCRIPTION = 'Number of items per page, up to 100; up to 2,000 with `fields=row`.'

const describe = (schema: TSchema | undefined, description: string): TSchema => ({ ...schema, description })

/** The values of `fields` in a list, and `row`. */
function describeFields(fields: TSchema | undefined) {
  const { enum: values = [], description = '' } = (fields ?? {}) as { enum?: string[]; description?: string }
  return OneOf([...values, 'row'], { description: `${description} \`row\` returns compact rows.`.trim() })
}
