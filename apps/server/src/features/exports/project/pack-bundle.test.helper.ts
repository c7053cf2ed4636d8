import { buffer } from 'node:stream/consumers'

import { createZipStream, type ZipEntry } from './zip-stream.ts'

type TextFile = readonly [name: string, text: string]

const toLines = (items: readonly object[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')

/** Packs records into a bundle, whatever they are. */
export const packBundle = async (records: readonly object[]): Promise<Buffer> =>
  await packFiles([
    ['manifest.json', '{"format":"caseward-bundle","version":1}'],
    ['records.ndjson', toLines(records)],
  ])

/** Packs what the API of a tool has answered, by list, as the command does. */
export const packAnswers = async (
  system: string,
  lists: Readonly<Record<string, readonly object[]>>,
  contents: readonly TextFile[] = [],
): Promise<Buffer> =>
  await packFiles([
    ['manifest.json', JSON.stringify({ format: 'caseward-answers', version: 1, system })],
    ...Object.entries(lists).map(([name, items]): TextFile => [
      `answers/${name}.ndjson`,
      toLines(items.map((item) => ({ of: '', item }))),
    ]),
    ...contents,
  ])

const packFiles = async (files: readonly TextFile[]): Promise<Buffer> =>
  await buffer(createZipStream(listEntries(files), new Date()))

// oxlint-disable-next-line require-await -- an iterable of what is there
async function* listEntries(files: readonly TextFile[]): AsyncGenerator<ZipEntry> {
  const once = async function* (text: string) {
    yield await Promise.resolve(text)
  }
  for (const [name, text] of files) yield { name, content: once(text) }
}
