import type { OwnSource } from '@caseward/importers/records'

import type { Database } from '../../platform/database/connect.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { saveLinks, type Source, type SourceLink, toKeyDigest } from './source-links.queries.ts'

/** What exports of Caseward say of where an object comes from; more than so many are no export of ours. */
const MAX_SOURCES = 50

/** Takes what can be stored. */
export const planSources = (sources: readonly OwnSource[] = []): readonly OwnSource[] =>
  sources.filter(({ system, source, key }) => system !== '' && source !== '' && key !== '').slice(0, MAX_SOURCES)

/** An object that was created. */
interface SourcedObject {
  /** An id, or the number of a test case. */
  readonly target: string
  readonly sources: readonly OwnSource[]
}

/** Remembers what other tools call objects of an export, so that their files find them here, too. */
export async function saveOwnSources(
  tx: Database,
  claim: ClaimedImport,
  kind: Parameters<typeof saveLinks>[3],
  objects: readonly SourcedObject[],
): Promise<void> {
  const groups = new Map<string, { source: Source; links: Map<string, SourceLink> }>()
  for (const { target, sources } of objects) {
    for (const { system, source, ...link } of sources) {
      const name = JSON.stringify([system, source])
      const group = groups.get(name) ?? { source: { system, source }, links: new Map<string, SourceLink>() }
      const digest = toKeyDigest(link.key)
      // One statement cannot save a link twice: the first one keeps it.
      if (!group.links.has(digest)) group.links.set(digest, { ...link, key_digest: digest, target })
      groups.set(name, group)
    }
  }
  for (const { source, links } of groups.values()) {
    await saveLinks(tx, claim.projectId, source, kind, claim.id, [...links.values()])
  }
}
