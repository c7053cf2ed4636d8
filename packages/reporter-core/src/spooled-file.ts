/** A file in the spool. Its name there is its digest, so that equal files of several tests are there once. */
export interface SpooledFile {
  readonly name: string
  /** SHA-256 in hexadecimal. */
  readonly sha256: string
  readonly byteCount: number
  readonly kind?: 'trace' | undefined
}

const MAX_NAME_LENGTH = 255

/** Parses the files of a line of a journal; ignores those that are none. */
export function parseSpooledFiles(value: unknown): SpooledFile[] {
  return Array.isArray(value) ? value.flatMap((item: unknown) => parseSpooledFile(item) ?? []) : []
}

function parseSpooledFile(value: unknown): SpooledFile | null {
  if (typeof value !== 'object' || value === null) return null
  const { name, sha256, byteCount, kind } = value as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || !isDigest(sha256) || !Number.isSafeInteger(byteCount)) return null
  return toSpooledFile(name, { sha256, byteCount: Number(byteCount) }, kind === 'trace' ? kind : undefined)
}

export const isDigest = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

export function toSpooledFile(
  name: string,
  { sha256, byteCount }: Pick<SpooledFile, 'sha256' | 'byteCount'>,
  kind: SpooledFile['kind'],
): SpooledFile {
  const shortName = name.trim().slice(0, MAX_NAME_LENGTH) || 'file'
  return { name: shortName, sha256, byteCount, ...(kind === undefined ? {} : { kind }) }
}
