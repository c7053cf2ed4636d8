/** The parts of a JSON Schema that describe which parts of a body are validated. */
export interface Shape {
  properties?: Record<string, Shape>
  items?: Shape
  /** The shape of properties whose names the caller chooses. */
  additionalProperties?: Shape
}

export interface Slice {
  slice: unknown
  /** Only errors below this path count: the slice contains nothing else of the body. */
  pathPrefix: string
  /** The index of the slice's first item in the whole list. */
  offset: number
}

const ITEMS_PER_SLICE = 100
/** Longer than any list inside of an item, and any object with names of the caller, may be. */
const MAX_NESTED = 1000

/**
 * Cuts a body into one slice without the items of its lists and one for every hundred items. The caller stops at enough
 * errors: a hostile body of 10 MB of `{}` has millions of them. Parts that the schema does not describe are left out,
 * because only listing a million properties takes seconds.
 */
export function* sliceBody(body: unknown, shape: Shape): Generator<Slice> {
  if (!isObject(body) || shape.properties === undefined) {
    yield { slice: body, pathPrefix: '', offset: 0 }
    return
  }
  const lists: [name: string, items: unknown[], shape: Shape | undefined][] = []
  const bodyWithoutItems: Record<string, unknown> = {}
  for (const [name, { items: itemShape, ...part }] of Object.entries(shape.properties)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    if (Array.isArray(value)) lists.push([name, value, itemShape])
    if (value !== undefined) bodyWithoutItems[name] = Array.isArray(value) ? [] : pruneToShape(value, part)
  }
  yield { slice: bodyWithoutItems, pathPrefix: '', offset: 0 }
  for (const [name, items, itemShape] of lists) {
    for (let offset = 0; offset < items.length; offset += ITEMS_PER_SLICE) {
      const slice = items.slice(offset, offset + ITEMS_PER_SLICE).map((item) => pruneToShape(item, itemShape))
      yield { slice: { [name]: slice }, pathPrefix: `/${name}/`, offset }
    }
  }
}

/** Returns the part of a value that its shape describes, with nested lists cut to a bounded length. */
function pruneToShape(value: unknown, shape: Shape = {}): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_NESTED).map((item) => pruneToShape(item, shape.items))
  if (!isObject(value)) return value
  const { properties, additionalProperties } = shape
  if (properties === undefined) return additionalProperties === undefined ? {} : takeFirstEntries(value)
  const pruned: Record<string, unknown> = {}
  for (const name of Object.keys(properties)) {
    if (Object.hasOwn(value, name)) pruned[name] = pruneToShape(value[name], properties[name])
  }
  return pruned
}

function takeFirstEntries(value: Record<string, unknown>): Record<string, unknown> {
  const entries: [string, unknown][] = []
  for (const name in value) if (entries.push([name, value[name]]) >= MAX_NESTED) break
  return Object.fromEntries(entries)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
