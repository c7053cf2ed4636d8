import type { Readable } from 'node:stream'

import type { Deps } from '../../../deps.ts'
import { FileStoreError } from '../../../platform/files/file-store.ts'
import { version } from '../../../platform/version.ts'
import { openContent } from '../../files/read-content.ts'
import type { ExportSnapshot } from './export-snapshot.ts'
import { type ExportChoice, type ExportedProject, type ExportRecord, readRecords } from './project-records.ts'
import { buildFiles } from './record-sql.ts'
import type { ZipEntry } from './zip-stream.ts'

/** Of the format, not of the product: a bundle with a later one may have kinds of records that nothing else replaces. */
const BUNDLE_VERSION = 1

export interface BundleSource {
  deps: Pick<Deps, 'db' | 'fileStore'>
  snapshot: ExportSnapshot
  project: ExportedProject
  choice: ExportChoice
  exportedAt: Date
}

/** The files of a bundle: what it is, the records, and the contents of attached files by their SHA-256. */
export async function* listBundleEntries(source: BundleSource): AsyncGenerator<ZipEntry> {
  const { project, exportedAt } = source
  const counts = new Map<string, number>()
  const manifest = {
    format: 'caseward-bundle',
    version: BUNDLE_VERSION,
    product_version: version,
    exported_at: exportedAt.toISOString(),
    project: { id: project.id, name: project.name, prefix: project.prefix },
  }
  yield { name: 'manifest.json', content: once(`${JSON.stringify(manifest, null, 2)}\n`) }
  yield { name: 'records.ndjson', content: writeLines(source, counts) }
  const missing: string[] = []
  if (source.choice.hasFiles) yield* listFiles(source, missing)
  const summary = { records: Object.fromEntries(counts), missing_files: missing }
  yield { name: 'counts.json', content: once(`${JSON.stringify(summary, null, 2)}\n`) }
}

// oxlint-disable-next-line require-await -- an iterable of a text that is there
async function* once(text: string): AsyncGenerator<string> {
  yield text
}

async function* writeLines(source: BundleSource, counts: Map<string, number>): AsyncGenerator<string> {
  for await (const records of readBundleRecords(source)) {
    for (const { kind } of records) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    if (records.length > 0) yield records.map((record) => `${JSON.stringify(record)}\n`).join('')
  }
}

const readBundleRecords = ({ snapshot, project, choice, exportedAt }: BundleSource) =>
  readRecords(snapshot, project, choice, { exportedAt, version })

/** Contents that are gone from the store are listed, and stop nothing. */
async function* listFiles(
  { deps, snapshot, project, choice }: BundleSource,
  missing: string[],
): AsyncGenerator<ZipEntry> {
  const filter = choice.cases.isAll ? null : choice.cases.sql
  const values = filter === null ? [project.id] : [project.id, ...choice.cases.values]
  const sent = new Set<string>()
  for await (const files of snapshot.read<{ id: string; location: number; sha256: string }>(
    buildFiles(filter, choice),
    values,
  )) {
    for (const { id, location, sha256 } of files) {
      if (sent.has(sha256)) continue
      sent.add(sha256)
      let content: Readable
      try {
        content = await openContent(deps, project.id, { id, location })
      } catch (error) {
        if (!(error instanceof FileStoreError) || error.code !== 'missing') throw error
        missing.push(sha256)
        continue
      }
      yield { name: `files/${sha256}`, content: content as AsyncIterable<Uint8Array>, isPacked: true }
    }
  }
}

/** The records as one document: the kind of each names its list. */
export async function* writeJson(source: BundleSource): AsyncGenerator<string> {
  const { project, exportedAt } = source
  const head = JSON.stringify({
    format: 'caseward-json',
    version: BUNDLE_VERSION,
    product_version: version,
    exported_at: exportedAt.toISOString(),
    project: { id: project.id, name: project.name, prefix: project.prefix },
  })
  yield `${head.slice(0, -1)},"records":[`
  let isFirst = true
  for await (const records of readBundleRecords(source)) {
    const lines = records.map((record: ExportRecord) => JSON.stringify(record))
    if (lines.length === 0) continue
    yield `${isFirst ? '\n' : ',\n'}${lines.join(',\n')}`
    isFirst = false
  }
  yield '\n]}\n'
}
