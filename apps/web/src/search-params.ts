/**
 * A parameter of a page's URL. Values that a person typed into the address bar may be anything: what cannot be parsed is
 * the default. The default is not written, so that URLs stay short.
 */
export interface Param<T> {
  parse(values: readonly string[]): T
  format(value: T): readonly string[]
}

/** The parameters of a page. Methods, unlike functions, accept a `Param` of any type here. */
export type SearchSchema = Readonly<Record<string, Param<unknown>>>

/** The values of a page's parameters. */
export type Search<S extends SearchSchema> = { readonly [K in keyof S]: S[K] extends Param<infer T> ? T : never }

/** Text; empty if it is not set. */
export const text = (): Param<string> => ({
  parse: ([value = '']) => value,
  format: (value) => (value === '' ? [] : [value]),
})

/** An id; null if it is not set. */
export const id = (): Param<string | null> => ({
  parse: ([value = '']) => (value === '' ? null : value),
  format: (value) => (value === null ? [] : [value]),
})

/** One of several values. */
export const oneOf = <const V extends string>(values: readonly V[], fallback: NoInfer<V>): Param<V> => ({
  parse: ([value]) => values.find((candidate) => candidate === value) ?? fallback,
  format: (value) => (value === fallback ? [] : [value]),
})

/** Any number of several values, such as `?status=failed&status=blocked`. */
export const manyOf = <const V extends string>(values: readonly V[]): Param<readonly V[]> => ({
  parse: (found) => values.filter((value) => found.includes(value)),
  format: (chosen) => values.filter((value) => chosen.includes(value)),
})

/** Any number of texts, such as `?tag=a&tag=b`, each once. */
export const texts = (): Param<readonly string[]> => ({
  parse: (values) => [...new Set(values)].filter((value) => value !== ''),
  format: (values) => values,
})

/** A page number, from 1. */
export const pageNumber = (): Param<number> => ({
  parse: ([value = '']) => (/^[1-9]\d{0,6}$/.test(value) ? Number(value) : 1),
  format: (value) => (value === 1 ? [] : [String(value)]),
})

/** A day, such as `2026-11-03`; null if it is not set or does not exist. */
export const day = (): Param<string | null> => ({
  parse: ([value = '']) => (isDay(value) ? value : null),
  format: (value) => (value === null ? [] : [value]),
})

/** The 30th of February is parsed as a day of March. */
const isDay = (value: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value)

/** A switch: `?panel=1`. */
export const flag = (): Param<boolean> => ({
  parse: ([value]) => value === '1',
  format: (value) => (value ? ['1'] : []),
})

/** Reads the parameters of a page. */
export function parseSearch<S extends SearchSchema>(schema: S, params: URLSearchParams): Search<S> {
  const entries = Object.entries(schema).map(([name, param]) => [name, param.parse(params.getAll(name))])
  return Object.fromEntries(entries) as Search<S>
}

/**
 * Writes parameters: `?status=failed&q=card`, in the order of the schema, so that equal views have equal URLs.
 * @returns an empty text if all have their default
 */
export function formatSearch<S extends SearchSchema>(schema: S, search: Partial<Search<S>>): string {
  const params = new URLSearchParams()
  for (const [name, param] of Object.entries(schema)) {
    const value: unknown = search[name]
    if (value !== undefined) for (const item of param.format(value)) params.append(name, item)
  }
  const query = params.toString()
  return query === '' ? '' : `?${query}`
}
