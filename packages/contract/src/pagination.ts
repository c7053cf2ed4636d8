import { Type, type TSchema } from 'typebox'

import { Nullable, Uuid } from './schemas.ts'

/** `page` and `per_page`, the query of every paginated list. */
export const PageQuery = {
  // 1e400 would be parsed as infinity, which JSON cannot represent in the response.
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1, description: 'Page number, from 1.' }),
  ),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Number of items per page.' }),
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
