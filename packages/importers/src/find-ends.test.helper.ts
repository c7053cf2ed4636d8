import { formatCsv, parseCsv } from '@caseward/case-files/csv'

import { fromBytes } from './input/import-file.ts'
import { openImport } from './open-import.ts'
import { prepareCase } from './prepare-case.ts'

const WORD = 'Zaphod42'

/** Finds where a word is in a value: `steps.action`. */
function findPath(value: unknown, path: readonly string[] = []): string | null {
  if (typeof value === 'string') return value.includes(WORD) ? path.join('.') : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    const found = findPath(inner, Array.isArray(value) ? path : [...path, name])
    if (found !== null) return found
  }
  return null
}

/** Where the word comes out; else, what is counted instead. */
async function findEnd(bytes: Uint8Array, base: readonly string[] = []): Promise<string | null> {
  const { records, losses } = await readRecords(bytes)
  return findPath(records) ?? losses.find((code) => !base.includes(code)) ?? null
}

export async function readRecords(bytes: Uint8Array): Promise<{ records: unknown[]; losses: string[] }> {
  const opened = await openImport(fromBytes('export', bytes))
  const records: unknown[] = []
  for await (const record of opened.records()) records.push(record.kind === 'case' ? prepareCase(record) : record)
  return { records, losses: opened.losses().map(({ code }) => code) }
}

/** Writes a word into one column of a row after another, and finds where it comes out. */
export async function listTableEnds(
  rows: readonly (readonly string[])[],
  row: number,
  pack: (rows: readonly (readonly string[])[]) => Uint8Array,
): Promise<Record<string, string | null>> {
  const header = rows[0] ?? []
  const { losses } = await readRecords(pack(rows))
  const ends: Record<string, string | null> = {}
  for (const [column, name] of header.entries()) {
    const cells = header.map((_, place) => (place === column ? WORD : (rows[row]?.[place] ?? '')))
    ends[name] = await findEnd(pack(rows.map((other, index) => (index === row ? cells : other))), losses)
  }
  return ends
}

export const listCsvEnds = (csv: string, row: number) =>
  listTableEnds(
    parseCsv(csv).map(({ cells }) => cells),
    row,
    (rows) => Buffer.from(formatCsv(rows)),
  )

/** Writes a word into the first element or attribute of each name, and finds where it comes out. */
export async function listXmlEnds(xml: string): Promise<Record<string, string | null>> {
  const ends: Record<string, string | null> = {}
  const { losses } = await readRecords(Buffer.from(xml))
  const write = async (name: string, at: number, length: number) => {
    ends[name] ??= await findEnd(Buffer.from(xml.slice(0, at) + WORD + xml.slice(at + length)), losses)
  }
  for (const { index, 0: all, 1: tag = '', 2: text = '' } of xml.matchAll(
    /<(\w+)(?: [^>]*)?>(?:<!\[CDATA\[)?([^<\]]*)(?:\]\]>)?<\/\1>/g,
  )) {
    await write(tag, index + all.lastIndexOf(text, all.lastIndexOf(all.includes(']]>') ? ']]>' : '</')), text.length)
  }
  for (const { index, 1: tag = '', 2: attributes = '' } of xml.matchAll(/<(?!xml)(\w+)( [^<>]*)>/g)) {
    for (const { index: at, 0: all, 1: name = '', 2: text = '' } of attributes.matchAll(/ (\w+)="([^"]*)"/g)) {
      await write(`${tag} ${name}`, index + 1 + tag.length + at + all.length - 1 - text.length, text.length)
    }
  }
  return ends
}
