import type { Database } from '../../platform/database/connect.ts'
import { distinctLinks } from './apply-folders.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { saveLinks, type Source, toKeyDigest } from './source-links.queries.ts'

/** A planned record. Without digests, its fields are not compared one by one when the source comes again. */
interface LinkedRecord {
  readonly key: string | null
  readonly planned: {
    readonly id: string
    readonly raw_digest: string
    readonly details?: Record<string, unknown> | null
    readonly field_digests?: Record<string, string>
  }
}

/** Remembers which record of the source became what, so that the next import finds it. */
export async function linkRecords(
  tx: Database,
  claim: ClaimedImport,
  { source, format }: { source: Source; format: string },
  kind: Parameters<typeof saveLinks>[3],
  records: readonly LinkedRecord[],
): Promise<void> {
  const links = records.map(({ key, planned: { id, raw_digest, details = null, field_digests = {} } }) => ({
    key_digest: toKeyDigest(key ?? ''),
    key: key ?? '',
    target: id,
    format,
    raw_digest,
    field_digests,
    details,
  }))
  await saveLinks(tx, claim.projectId, source, kind, claim.id, distinctLinks(links))
}
