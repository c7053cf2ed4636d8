import { type SourceLink, toShortDigest } from './source-links.queries.ts'

/*
 * What people edit here stays. A value is changed by an import only if it is still what the import before it wrote.
 */

export interface Comparison {
  /** What only the source has changed. */
  changed: string[]
  /** What both have changed, differently. It stays as it is here. */
  conflicts: string[]
  /** What an import has written, as it is known afterwards. */
  digests: Record<string, string>
}

export const digestTexts = (texts: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries([...texts].map(([name, text]) => [name, toShortDigest(text)]))

const EMPTY = toShortDigest('')

/**
 * Compares what the source says now with what it said, and with what is here: texts by the names of their values.
 * @param base digests of what the source said
 * @param options.isSameFormat another format may not know a value that the first one knew: it is never emptied
 * @param options.names of the values that the source has; the others stay. All without it
 */
export function compareTexts(
  next: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
  base: SourceLink['field_digests'],
  { isSameFormat, names: known }: { isSameFormat: boolean; names?: readonly string[] | null },
): Comparison {
  const names = new Set([...next.keys(), ...Object.keys(base)])
  const comparison: Comparison = { changed: [], conflicts: [], digests: {} }
  for (const name of names) {
    if (known && !known.includes(name)) {
      if (base[name] !== undefined) comparison.digests[name] = base[name]
      continue
    }
    const nextDigest = toShortDigest(next.get(name) ?? '')
    const nowDigest = toShortDigest(now.get(name) ?? '')
    const baseDigest = base[name] ?? EMPTY
    const keepsOther = nextDigest === EMPTY && !isSameFormat
    if (nextDigest === baseDigest || keepsOther) comparison.digests[name] = baseDigest
    else if (nowDigest === nextDigest) comparison.digests[name] = nextDigest
    else if (nowDigest === baseDigest) {
      comparison.changed.push(name)
      comparison.digests[name] = nextDigest
    } else {
      comparison.conflicts.push(name)
      comparison.digests[name] = baseDigest
    }
  }
  return comparison
}
