import { hash } from 'node:crypto'

import type { ImportFile } from '../input/import-file.ts'
import type { ImportRecord, OwnAttachmentRecord, PictureRecord } from '../records.ts'
import { type Answers, toText } from './answers.ts'
import { toContentPath } from './caseward/read-attachments.ts'
import { readNumber } from './caseward/read-values.ts'

/** Texts name attachments by ids of this form. */
const toKey = (words: string) =>
  hash('sha256', words, 'hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')

/** Adds the pictures of test cases whose contents are in the bundle: as attachments, and to the test cases whose texts show them. */
export async function* withPictures(
  records: AsyncIterable<ImportRecord>,
  answers: Answers,
  files: ReadonlyMap<string, ImportFile>,
): AsyncGenerator<ImportRecord> {
  const byCase = new Map<string, PictureRecord[]>()
  const attachments: OwnAttachmentRecord[] = []
  for await (const { item } of answers.read('files')) {
    const [kind, of, id] = [toText(item['kind']), toText(item['key']), toText(item['id'])]
    const [name, sha256] = [toText(item['name']), toText(item['sha256'])]
    if (kind !== 'case' || !files.has(toContentPath(sha256))) continue
    const key = toKey(`${of} ${id}`)
    byCase.set(of, [...(byCase.get(of) ?? []), { id, name, attachment: key }])
    attachments.push(toAttachment({ key, name, case: of, sha256, byte_count: readNumber(item, 'byte_count') }))
  }
  for await (const record of records) {
    const pictures = record.kind === 'case' ? byCase.get(record.key ?? '') : undefined
    yield record.kind === 'case' && pictures !== undefined ? { ...record, pictures } : record
  }
  yield* attachments
}

const toAttachment = (
  known: Pick<OwnAttachmentRecord, 'key' | 'name' | 'case' | 'sha256' | 'byte_count'>,
): OwnAttachmentRecord => ({
  kind: 'attachment',
  run: null,
  result: null,
  step: null,
  place: null,
  test: null,
  attempt: null,
  source: null,
  comment: null,
  created_by: '',
  created_at: '',
  is_trace: false,
  removed_at: '',
  is_waiting: false,
  is_in_file: true,
  ...known,
})
