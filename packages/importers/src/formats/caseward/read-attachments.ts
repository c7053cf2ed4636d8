import type { OwnAttachmentRecord } from '../../own-records.ts'
import { type FindPerson, type Raw, readNullableString, readNumber, readString } from './read-values.ts'

const SHA256 = /^[0-9a-f]{64}$/

/** The path in a bundle of a content. */
export const toContentPath = (sha256: string): string => `files/${sha256}`

/**
 * A file with a name at something of a bundle.
 * @param hasFile whether the bundle has a file of this path
 */
export function toAttachment(
  raw: Raw,
  findPerson: FindPerson,
  hasFile: (path: string) => boolean,
): OwnAttachmentRecord {
  const digest = readString(raw, 'sha256')
  const sha256 = SHA256.test(digest) ? digest : null
  return {
    kind: 'attachment',
    key: readString(raw, 'key'),
    name: readString(raw, 'name'),
    case: readNullableString(raw, 'case'),
    run: readNullableString(raw, 'run'),
    result: readNullableString(raw, 'result'),
    step: readNumber(raw, 'step'),
    place: readNumber(raw, 'place'),
    test: readNullableString(raw, 'test'),
    attempt: readNumber(raw, 'attempt'),
    source: readNumber(raw, 'source'),
    comment: readNullableString(raw, 'comment'),
    created_by: findPerson(readString(raw, 'created_by')),
    created_at: readString(raw, 'created_at'),
    sha256,
    byte_count: readNumber(raw, 'byte_count'),
    is_trace: raw['media_type'] === 'application/zip',
    removed_at: readString(raw, 'removed_at'),
    is_waiting: raw['is_waiting'] === true,
    is_in_file: sha256 !== null && hasFile(toContentPath(sha256)),
  }
}
