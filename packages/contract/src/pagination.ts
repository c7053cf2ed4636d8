import { Type, type TSchema } from 'typebox'

/** `page` and `per_page`, the query of every paginated list. */
export const PageQuery = {
  // The maximum keeps out what JSON cannot say in the answer: 1e400 would be read as infinity.
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1, description: 'Which page, from 1.' }),
  ),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Items on a page.' })),
}

/** Where in a list a page is. */
export const PageMeta = Type.Object({
  page: Type.Integer({ description: 'This page.' }),
  per_page: Type.Integer({ description: 'Items on a page.' }),
  total: Type.Integer({ description: 'Items in the whole list.' }),
})

/** A page of a list: `{data: […], meta: {page, per_page, total}}`. */
export function Page<S extends TSchema>(item: S) {
  return Type.Object({ data: Type.Array(item), meta: PageMeta })
}
