import { formatSearch, parseSearch, type Search, type SearchSchema } from '../../search-params.ts'

/** What is open on a page, and which page of a list is shown, belong to the moment: a view does not keep them. */
const ofTheMoment = new Set(['case', 'combination', 'panel', 'page', 'result', 'test', 'view'])

/** The parameters of a page that a view keeps: its filters and its order. */
export const pickKept = (schema: SearchSchema): SearchSchema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !ofTheMoment.has(name)))

/** Formats what a view would keep of a page now, in the form in which the server stores it. */
export const formatViewQuery = (schema: SearchSchema, search: Search<SearchSchema>): string =>
  formatSearch(pickKept(schema), search).slice(1)

/** Returns the values that the filters and the order of a page have in a view. */
export const parseViewQuery = (schema: SearchSchema, query: string): Search<SearchSchema> =>
  parseSearch(pickKept(schema), new URLSearchParams(query))
