import type { OwnSource } from '../../own-records.ts'
import { isRaw, limitDepth, type Raw, readObject, readObjects, readString } from './read-values.ts'

/** Reads what other tools call an object of an export. */
export const readSources = (raw: Raw): OwnSource[] => readObjects(raw, 'sources').map(toSource)

const toSource = (raw: Raw): OwnSource => ({
  system: readString(raw, 'system').slice(0, 100),
  source: readString(raw, 'source').slice(0, 255),
  key: readString(raw, 'key'),
  format: readString(raw, 'format').slice(0, 100),
  raw_digest: readString(raw, 'raw_digest').slice(0, 64),
  field_digests: Object.fromEntries(
    Object.entries(readObject(raw, 'field_digests')).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  ),
  details: isRaw(raw['details']) ? (limitDepth(raw['details']) as Raw) : null,
})
