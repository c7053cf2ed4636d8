import { buffer } from 'node:stream/consumers'

import { createZipStream, type ZipEntry } from './zip-stream.ts'

/** Packs records into a bundle, whatever they are. */
export const packBundle = async (records: readonly object[]): Promise<Buffer> =>
  await buffer(createZipStream(listEntries(records), new Date()))

// oxlint-disable-next-line require-await -- an iterable of what is there
async function* listEntries(records: readonly object[]): AsyncGenerator<ZipEntry> {
  const once = async function* (text: string) {
    yield await Promise.resolve(text)
  }
  yield { name: 'manifest.json', content: once('{"format":"caseward-bundle","version":1}') }
  yield { name: 'records.ndjson', content: once(records.map((record) => JSON.stringify(record)).join('\n')) }
}
