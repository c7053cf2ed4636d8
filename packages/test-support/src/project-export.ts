import { openZip } from '@caseward/importers/input/zip'
import { fromBytes } from '@caseward/importers/input/import-file'

import type { TestServer } from './test-server.ts'

type Project = { id: string; admin: { token: string } }
/** A record of an export. */
export type ExportedRecord = { kind: string; key: string } & Record<string, unknown>

/** Exports a project, and returns the bytes of the file. */
export async function fetchExport(
  { url }: Pick<TestServer, 'url'>,
  { id, admin }: Project,
  query = '',
  token = admin.token,
): Promise<Buffer> {
  const response = await fetch(`${url}/v1/projects/${id}/export${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (response.status !== 200) throw new Error(`GET export: ${response.status} ${await response.text()}`)
  return Buffer.from(await response.arrayBuffer())
}

/** Unpacks an archive: the texts of its files by their names. */
export async function unzip(bytes: Uint8Array): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const [name, file] of await openZip(fromBytes('export', bytes))) {
    const pieces: Uint8Array[] = []
    for await (const piece of file.read()) pieces.push(piece)
    texts.set(name, Buffer.concat(pieces).toString())
  }
  return texts
}

/** The records of a bundle, in its order. */
export async function readBundleRecords(bytes: Uint8Array): Promise<ExportedRecord[]> {
  const text = (await unzip(bytes)).get('records.ndjson') ?? ''
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExportedRecord)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** What a comment shows. */
const SHOWN = /\]\(attachment:([-0-9a-f]{36})\)/g

/**
 * Records with a name instead of each id that an import must give again: folders by their path, others by their title or name.
 * @param kept ids that both projects have, such as those of users
 */
export function withoutIds(records: readonly ExportedRecord[], kept: ReadonlySet<string>): ExportedRecord[] {
  const names = new Map<string, string>()
  for (const { kind, key, name, title, parent, run, ...record } of records) {
    if (!UUID.test(key)) continue
    const above = [parent, run].map((id) => (typeof id === 'string' ? (names.get(id) ?? '') : '')).join('/')
    names.set(
      key,
      `${kind} ${above}/${[name, title, record['case']].filter((text) => typeof text === 'string').join(' ')}`,
    )
  }
  return JSON.parse(JSON.stringify(records), (_, value: unknown) => {
    if (typeof value !== 'string') return value
    if (UUID.test(value) && !kept.has(value)) return names.get(value) ?? value
    return value.replaceAll(SHOWN, (_match, id: string) => `](attachment:${names.get(id) ?? id})`)
  }) as ExportedRecord[]
}

/**
 * Records as they are equal in a copy of a project: an import gives new ids, and says where objects are from.
 * @param kept ids that both projects have, such as those of users
 */
export function withoutOrigin(records: readonly ExportedRecord[], kept: ReadonlySet<string>): ExportedRecord[] {
  return withoutIds(records, kept)
    .filter(({ kind }) => kind !== 'source')
    .map((record) => ({
      ...record,
      sources: ((record['sources'] ?? []) as { system: string }[]).filter(({ system }) => system !== 'caseward'),
      // Keys of outcomes are those of what they are of.
      key: 'key' in record ? record.key.replace(/^[-0-9a-f]{36}/, 'id') : '',
      ...(record.kind === 'run' ? { metadata: { ...(record['metadata'] as object), 'Imported from': '' } } : {}),
    }))
}
