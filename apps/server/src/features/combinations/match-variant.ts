/** A configuration of a run as it was when the run got it. */
export interface StoredConfiguration {
  id: string
  group_key: string
  group_name: string
  key: string
  name: string
  variants: readonly string[]
}

/** What the test cases of a run are tested with. */
export interface VariantPlace {
  place: number
  configurations: readonly StoredConfiguration[]
}

/**
 * Returns the places of the configurations that a variant of a test is a result of.
 *
 * A variant has parts between commas, such as `windows, chromium`: what people gave, and what the framework did. A place fits if
 * one of its configurations matches the variant or a part of it, and nothing speaks against the others: of a group of which the
 * variant names another configuration, or where it has a part that no configuration explains, only a match fits. So a result
 * in a browser that the run does not know never counts for one that it knows.
 */
export function findPlaces(places: readonly VariantPlace[], variant: string): number[] {
  const parts = [...new Set([variant, ...variant.split(',')].map(normalize))].filter((part) => part !== '')
  if (parts.length === 0) return []
  const matches = ({ variants }: StoredConfiguration): string[] =>
    parts.filter((part) => variants.some((pattern) => isMatch(pattern, part)))
  const matchedIds = new Set<string>()
  const matchedGroups = new Set<string>()
  const explained = new Set<string>()
  for (const { configurations } of places) {
    for (const configuration of configurations) {
      const found = matches(configuration)
      if (found.length === 0) continue
      matchedIds.add(configuration.id)
      matchedGroups.add(configuration.group_key)
      for (const part of found) explained.add(part)
    }
  }
  const whole = normalize(variant)
  const isExplained = explained.has(whole) || parts.every((part) => part === whole || explained.has(part))
  return places.flatMap(({ place, configurations }) => {
    const isFit =
      configurations.some(({ id }) => matchedIds.has(id)) &&
      configurations.every(
        ({ id, group_key: group, variants }) =>
          matchedIds.has(id) || (!matchedGroups.has(group) && (isExplained || variants.length === 0)),
      )
    return isFit ? [place] : []
  })
}

const normalize = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()

function isMatch(pattern: string, part: string): boolean {
  const wanted = normalize(pattern)
  // `windows*` says nothing about what follows the comma.
  if (part.includes(',') && !wanted.includes(',')) return false
  return wanted.endsWith('*') ? part.startsWith(wanted.slice(0, -1).trimEnd()) : part === wanted
}
