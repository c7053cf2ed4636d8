import type { Losses } from '../losses.ts'
import type { XmlEvent, XmlNode } from '../xml/read-xml.ts'
import { hasPath, parsePaths, type ValuePaths } from './value-paths.ts'

/** An element can have any name: beyond so many, all others are counted together. */
const MAX_NAMES = 5000

/** What a format knows of the elements of one name. */
interface KnownElements {
  /** What they are here, in the plural; `values_of_…` counts what they have besides. */
  readonly are: string
  /** Paths of elements and of attributes (`@name`) within them that are read; see {@link parsePaths}. */
  readonly read: string
  /** Paths of those that mean nothing to people: positions, and ids of the tool itself. */
  readonly meaningless?: string
  /** Whether the reader keeps children whose name it does not know, as fields. */
  readonly keepsOthers?: boolean
}

/** What the reader of an XML format knows, by the names of elements. */
export type KnownXml = Readonly<Record<string, KnownElements>>

interface Unread {
  count: number
  key: string
}

/**
 * Passes on the events of a file, and counts what is in its elements and what `known` does not name.
 * @param getKey what people know an element by
 */
export async function* countUnread(
  events: AsyncIterable<XmlEvent>,
  known: KnownXml,
  losses: Losses,
  getKey: (node: XmlNode) => string,
): AsyncGenerator<XmlEvent> {
  const paths = Object.fromEntries(Object.entries(known).map(([name, elements]) => [name, parseKnown(name, elements)]))
  const unread = new Map<string, Unread>()
  const count = (path: string, key: string) => {
    const name = unread.has(path) || unread.size < MAX_NAMES ? path : '…'
    const found = unread.get(name)
    if (found === undefined) unread.set(name, { count: 1, key })
    else found.count += 1
  }
  for await (const event of events) {
    yield event
    if (event.type === 'open') walk({ ...event, children: [], text: '' }, event.name, paths[event.name], '')
    else if (event.type === 'node') {
      const { node, parent } = event
      const own = paths[node.name]
      if (own?.isAllRead === true) continue
      const path = own === undefined ? `${parent}.${node.name}` : node.name
      walk(node, path, own ?? paths[parent], getKey(node))
    }
  }
  for (const [path, { count: times, key }] of unread) {
    const [name = '', ...inner] = path.split('.')
    losses.add(`not_imported:values_of_${known[name]?.are ?? 'files'}`, { key, place: inner.join('.') || name }, times)
  }

  function walk(node: XmlNode, path: string, own: Known | undefined, key: string): void {
    if (node.text.trim() !== '' && !isKnown(own, path)) count(path, key)
    for (const [name, value] of Object.entries(node.attributes)) {
      if (value.trim() !== '' && !isKnown(own, `${path}.@${name}`)) count(`${path}.@${name}`, key)
    }
    for (const child of node.children) {
      const inner = `${path}.${child.name}`
      if (own?.keepsOthers === true && path === node.name && !own.names.has(child.name)) continue
      walk(child, inner, own, key)
    }
  }
}

interface Known extends ValuePaths {
  /** Whether nothing in them can be unread. */
  readonly isAllRead: boolean
  readonly keepsOthers: boolean
  /** Children of which something is known. */
  readonly names: ReadonlySet<string>
}

function parseKnown(name: string, { read, meaningless = '', keepsOthers = false }: KnownElements): Known {
  const words = `${read} ${meaningless}`.trim().split(/\s+/)
  const names = words.flatMap((word) => /^[^.*@]+/.exec(word)?.[0] ?? [])
  const paths = parsePaths(`${name}: ${words.join(' ')}`)
  return { ...paths, isAllRead: read === '*', keepsOthers, names: new Set(names) }
}

const isKnown = (known: Known | undefined, path: string): boolean => known !== undefined && hasPath(known, path)
