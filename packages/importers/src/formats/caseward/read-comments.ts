import type { CommentRecord } from '../../own-records.ts'
import { type FindPerson, type Raw, readNullableString, readObjects, readString } from './read-values.ts'

/** A comment of a bundle with its earlier texts. One that was deleted has none. */
export const toComment = (raw: Raw, findPerson: FindPerson): CommentRecord => ({
  kind: 'comment',
  key: readString(raw, 'key'),
  case: readNullableString(raw, 'case'),
  run: readNullableString(raw, 'run'),
  result: readNullableString(raw, 'result'),
  person: findPerson(readString(raw, 'person')),
  text: readNullableString(raw, 'text'),
  at: readString(raw, 'at'),
  edited_at: readString(raw, 'edited_at'),
  deleted_at: readString(raw, 'deleted_at'),
  deleted_by: findPerson(readString(raw, 'deleted_by')),
  versions: readObjects(raw, 'versions').map((version) => ({
    text: readString(version, 'text'),
    replaced_at: readString(version, 'replaced_at'),
  })),
})
