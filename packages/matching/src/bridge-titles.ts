import type { TestIdentity } from './test-identity.ts'

/**
 * Finds which titles of known tests are those of reported tests although another tool wrote them in another way: by what
 * differs only in white space, and by the key, where each side has only one way to write it.
 * @returns the reported titles by the known titles
 */
export function bridgeTitles(
  tests: readonly TestIdentity[],
  known: readonly TestIdentity[],
): ReadonlyMap<string, string> {
  const bridge = new Map<string, string>()
  const knownByKey = groupTitles(known)
  for (const [key, reportedTitles] of groupTitles(tests)) {
    const knownTitles = knownByKey.get(key)
    if (knownTitles === undefined) continue
    const [reported] = reportedTitles
    const [stored] = knownTitles
    if (reportedTitles.size === 1 && knownTitles.size === 1 && reported !== undefined && stored !== undefined) {
      bridge.set(stored, reported)
    } else {
      bridgeSpaces(reportedTitles, knownTitles, bridge)
    }
  }
  return bridge
}

function groupTitles(tests: readonly TestIdentity[]): Map<string, Set<string>> {
  const byKey = new Map<string, Set<string>>()
  for (const { titleKey, titles = titleKey } of tests) {
    const group = byKey.get(titleKey)
    if (group === undefined) byKey.set(titleKey, new Set([titles]))
    else group.add(titles)
  }
  return byKey
}

/** XML turns tabs and line breaks in attributes into spaces, and tools join titles by different numbers of them. */
function bridgeSpaces(reported: ReadonlySet<string>, known: ReadonlySet<string>, bridge: Map<string, string>): void {
  const openReported = groupBySpaces([...reported].filter((titles) => !known.has(titles)))
  const openKnown = groupBySpaces([...known].filter((titles) => !reported.has(titles)))
  for (const [text, [titles, ...others]] of openReported) {
    const [stored, ...otherKnown] = openKnown.get(text) ?? []
    if (titles === undefined || stored === undefined) continue
    if (others.length === 0 && otherKnown.length === 0) bridge.set(stored, titles)
  }
}

function groupBySpaces(titles: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const text of titles) {
    const key = text.replace(/\s+/g, ' ')
    groups.set(key, [...(groups.get(key) ?? []), text])
  }
  return groups
}
