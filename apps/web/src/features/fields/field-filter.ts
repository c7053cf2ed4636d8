import type { TestCaseRow } from '@caseward/client/endpoints'

/*
 * Filters of test cases by custom fields, as addresses have them: `severity:blocker`, `risk.min:3`. The server reads the same as
 * `field.severity=blocker` and `field.risk.min=3`.
 */

export type FilterKind = 'equals' | 'min' | 'max' | 'contains'

export interface FieldFilter {
  readonly key: string
  readonly kind: FilterKind
  /** Of `equals`: `none` for no value, `any` for some. */
  readonly value: string
}

const PATTERN = /^([a-z][a-z0-9_]*)(?:\.(min|max|contains))?:([^]+)$/

/** Reads filters. What nobody can mean is left out. */
export const parseFieldFilters = (texts: readonly string[]): readonly FieldFilter[] =>
  texts.flatMap((text) => {
    const [, key, kind = 'equals', value] = PATTERN.exec(text) ?? []
    return key === undefined || value === undefined ? [] : [{ key, kind: kind as FilterKind, value }]
  })

export const formatFieldFilter = ({ key, kind, value }: FieldFilter): string =>
  `${key}${kind === 'equals' ? '' : `.${kind}`}:${value}`

/** The keys of the fields that filters name, each once. */
export const getFilteredKeys = (texts: readonly string[]): readonly string[] => [
  ...new Set(parseFieldFilters(texts).map(({ key }) => key)),
]

/** The filters as parameters of a request. */
export function toFilterQuery(texts: readonly string[]): Record<`field.${string}`, string[]> {
  const query: Record<`field.${string}`, string[]> = {}
  for (const { key, kind, value } of parseFieldFilters(texts)) {
    const name = `field.${key}${kind === 'equals' ? '' : `.${kind}`}` as const
    query[name] = [...(query[name] ?? []), value]
  }
  return query
}

type Value = NonNullable<TestCaseRow['fields']>[string] | undefined

/** Returns whether a test case matches: any of the values of a field, and all fields. */
export function createFieldTest(texts: readonly string[]): (fields: TestCaseRow['fields']) => boolean {
  const groups = new Map<string, FieldFilter[]>()
  for (const filter of parseFieldFilters(texts)) {
    const name = `${filter.key}.${filter.kind}`
    groups.set(name, [...(groups.get(name) ?? []), filter])
  }
  const all = [...groups.values()]
  return (fields) => all.every((group) => group.some((filter) => matches(filter, fields?.[filter.key])))
}

function matches({ kind, value: wanted }: FieldFilter, value: Value): boolean {
  if (kind === 'equals') {
    if (wanted === 'none') return value === undefined
    if (wanted === 'any' || value === undefined) return value !== undefined
    if (Array.isArray(value)) return value.includes(wanted)
    return typeof value === 'number' ? value === Number(wanted) : String(value) === wanted
  }
  if (kind === 'contains') return typeof value === 'string' && value.toLowerCase().includes(wanted.toLowerCase())
  // Dates are compared as their texts.
  const limit = typeof value === 'number' ? Number(wanted) : wanted
  if (value === undefined) return false
  return kind === 'min' ? value >= limit : value <= limit
}
