import type { CaseView } from './search-cases.ts'

/** “Priority”, “Priority: High” or “Priority: 2”. */
export function describeFilter<V extends string>(
  name: string,
  options: readonly { value: V; label: string }[],
  chosen: readonly V[],
): string {
  if (chosen.length === 0) return name
  if (chosen.length > 1) return `${name}: ${chosen.length}`
  const label = options.find(({ value }) => value === chosen[0])?.label ?? ''
  return `${name}: ${label.length > 24 ? `${label.slice(0, 23)}…` : label}`
}

export const toggleItem = <V>(items: readonly V[], item: V, isIn: boolean): readonly V[] =>
  isIn ? [...items, item] : items.filter((other) => other !== item)

/** What the button of the filter by tags says. @param known the tags of the test cases; a view may have others */
export const describeTagFilter = ({ tag }: Pick<CaseView, 'tag'>, known: ReadonlyMap<string, number>): string =>
  describeFilter(
    'Tag',
    tag.map((value) => ({ value, label: labelTag(value, known) })),
    tag,
  )

/** Says that no test case has a tag any more. Without any tags, they are not known yet. */
export const labelTag = (tag: string, known: ReadonlyMap<string, number>): string =>
  known.size === 0 || known.has(tag) ? tag : `${tag} (removed)`

/** What the button of all filters says: how many are set. */
export function describeFilterCount({ priority, type, tag, owner, field }: CaseView): string {
  const count = priority.length + type.length + tag.length + owner.length + field.length
  return count === 0 ? 'Filter' : `Filter ${count}`
}
