import { RESULT_STATUSES } from './results.ts'
import { PRIORITIES, TEST_CASE_TYPES } from './test-case-fields.ts'

/** How a parameter of a page's address is written: once, any number of times, or as `1`. */
export type ViewParameter =
  | { readonly kind: 'text' }
  | { readonly kind: 'texts' }
  | { readonly kind: 'one-of'; readonly values: readonly string[]; readonly fallback: string }
  | { readonly kind: 'many-of'; readonly values: readonly string[] }
  | { readonly kind: 'flag' }

const text = { kind: 'text' } as const
const texts = { kind: 'texts' } as const
const flag = { kind: 'flag' } as const
const manyOf = (values: readonly string[]): ViewParameter => ({ kind: 'many-of', values })
const oneOf = (values: readonly string[], fallback: string): ViewParameter => ({ kind: 'one-of', values, fallback })

export const VIEW_PAGES = ['cases', 'runs', 'run', 'tests'] as const
export type ViewPage = (typeof VIEW_PAGES)[number]

/**
 * What a view can keep of a page: its filters and its order, in the order in which they are stored. What is open on a page, and
 * which page of a list is shown, belong to the moment. The web app has the same parameters (`apps/web/src/search-schemas.ts`).
 */
export const viewParameters: Readonly<Record<ViewPage, Readonly<Record<string, ViewParameter>>>> = {
  cases: {
    folder: text,
    q: text,
    priority: manyOf(PRIORITIES),
    type: manyOf(TEST_CASE_TYPES),
    tag: texts,
    owner: texts,
    // Filters by custom fields: `severity:blocker`, `risk.min:3`.
    field: texts,
    sort: oneOf(['tree', 'number', 'title', 'priority', 'updated', 'field'], 'tree'),
    // The key of the custom field by which the page sorts.
    by: text,
    desc: flag,
  },
  runs: {
    status: oneOf(['in_progress', 'completed', 'all'], 'all'),
    milestone: text,
    q: text,
    sort: oneOf(['newest', 'name', 'tested', 'failed', 'created'], 'newest'),
    desc: flag,
  },
  run: {
    status: manyOf(RESULT_STATUSES),
    q: text,
    folder: text,
    priority: manyOf(PRIORITIES),
    tag: texts,
    assigned: text,
    configuration: text,
    combination_status: manyOf(RESULT_STATUSES),
    lacks: flag,
    new: flag,
    sort: oneOf(['folder', 'id', 'title', 'elapsed', 'person', 'at'], 'folder'),
    desc: flag,
    matrix: flag,
  },
  tests: {
    match: oneOf(['all', 'unmatched', 'matched'], 'all'),
    q: text,
  },
}
