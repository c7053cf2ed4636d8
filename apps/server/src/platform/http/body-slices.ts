/** As much of JSON Schema as says which parts of a body count. */
export interface Shape {
  properties?: Record<string, Shape>
  items?: Shape
  /** What properties with names of the caller's choice are. */
  additionalProperties?: Shape
}

export interface Slice {
  slice: unknown
  /** Only errors below this path count: the rest of the body is left out. */
  pathPrefix: string
  /** Where in the whole list the slice begins. */
  offset: number
}

const SLICE = 100
/** Lists inside of items, and objects with names of the caller's, are cut there: further than any of them may go. */
const MAX_NESTED = 1000

/**
 * A body cut into one without the items of its lists, and one for every hundred items: a hostile 10 MB of `{}` would
 * otherwise give millions of errors at once. They are made one after the other, until enough errors are found. What the
 * shape does not speak of is left out unseen, since merely to list a million properties takes seconds.
 */
export function* sliceBody(body: unknown, shape: Shape): Generator<Slice> {
  if (!isObject(body) || shape.properties === undefined) {
    yield { slice: body, pathPrefix: '', offset: 0 }
    return
  }
  const lists: [name: string, items: unknown[], shape: Shape | undefined][] = []
  const rest: Record<string, unknown> = {}
  for (const [name, { items: itemShape, ...part }] of Object.entries(shape.properties)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    if (Array.isArray(value)) lists.push([name, value, itemShape])
    if (value !== undefined) rest[name] = Array.isArray(value) ? [] : pruneToShape(value, part)
  }
  yield { slice: rest, pathPrefix: '', offset: 0 }
  for (const [name, items, itemShape] of lists) {
    for (let offset = 0; offset < items.length; offset += SLICE) {
      const some = items.slice(offset, offset + SLICE).map((item) => pruneToShape(item, itemShape))
      yield { slice: { [name]: some }, pathPrefix: `/${name}/`, offset }
    }
  }
}

/** As much of a value as its shape speaks of, and no more of what is nested in it than is looked at. */
function pruneToShape(value: unknown, shape: Shape = {}): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_NESTED).map((item) => pruneToShape(item, shape.items))
  if (!isObject(value)) return value
  const { properties, additionalProperties } = shape
  if (properties === undefined) return additionalProperties === undefined ? {} : takeFirstEntries(value)
  const known: Record<string, unknown> = {}
  for (const name of Object.keys(properties)) {
    if (Object.hasOwn(value, name)) known[name] = pruneToShape(value[name], properties[name])
  }
  return known
}

function takeFirstEntries(value: Record<string, unknown>): Record<string, unknown> {
  const first: [string, unknown][] = []
  for (const name in value) if (first.push([name, value[name]]) >= MAX_NESTED) break
  return Object.fromEntries(first)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
