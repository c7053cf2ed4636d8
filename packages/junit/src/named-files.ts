import { createHash } from 'node:crypto'

import type { AttemptFile, NamedFile } from './test-attempt.ts'

/** Start of a line that names a file, as Playwright writes it. Output without it does not have to be searched. */
export const ATTACHMENT_LINE = '[[ATTACHMENT|'

/** The line alone: a sentence that mentions one names no file. */
const ATTACHMENT = /^[ \t]*\[\[ATTACHMENT\|([^\n]*?)\]\][ \t]*$/gm

/** How many files of a test, of one of its attempts, and of a suite are kept. The server stores 20 of an attempt. */
export const MAX_FILES = 200
const MAX_SUITE_FILES = 50

const MAX_PATH_LENGTH = 4096
const MAX_NAME_LENGTH = 255

/** Limit for the content of a `data:` address. */
export const MAX_DATA_BYTES = 1_048_576
/** Longer texts cannot be decoded to that many bytes. */
const MAX_DATA_LENGTH = 4 * MAX_DATA_BYTES

const DATA_ADDRESS = /^data:/i
const HTTP_ADDRESS = /^https?:\/\//i

/** Names for files of `data:` addresses, which have none. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'text/plain': 'txt',
  'text/html': 'html',
  'text/csv': 'csv',
  'application/json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'application/zip': 'zip',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
}

export const isDefectProperty = (name: string): boolean => /^(?:issue|defect)$/i.test(name)
export const isHttpAddress = (value: string): boolean => HTTP_ADDRESS.test(value)
export const isDataAddress = (value: string): boolean => DATA_ADDRESS.test(value)

/** Which attempt a property names a file of. */
export type FileScope = AttemptFile['attempt'] | 'instance'

/** A property that names a file, or says how a file is called. */
export interface FileProperty {
  readonly field: 'path' | 'name'
  readonly scope: FileScope
}

const ATTACHMENT_PROPERTY = /^(?:attachment(?:_?\d{1,6})?|testrail_attachment\w{0,100})$/i
const CURRENTS_PROPERTY = /^currents\.artifact\.(?:attempt\.(\d{1,4})|test|instance)\.(path|name)$/

/** Reads the name of a property; null if it is not about a file. */
export function parseFileProperty(name: string): FileProperty | null {
  if (ATTACHMENT_PROPERTY.test(name)) return { field: 'path', scope: 'own' }
  const [match, attempt, field] = CURRENTS_PROPERTY.exec(name) ?? []
  if (match === undefined) return null
  const scope = attempt !== undefined ? Number(attempt) : match.includes('.test.') ? 'last' : 'instance'
  return { field: field === 'name' ? 'name' : 'path', scope }
}

/** Returns the files that a text names in lines of their own. */
export function readPrintedFiles(text: string): NamedFile[] {
  const files: NamedFile[] = []
  for (const [, path = ''] of text.matchAll(ATTACHMENT)) {
    if (files.length >= MAX_FILES) break
    const value = path.trim()
    const file = isDataAddress(value) || isHttpAddress(value) ? null : toNamedFile(value, false)
    if (file !== null) files.push(file)
  }
  return files
}

/** Adds a file unless the test has it already: as a property and as a line of the output, say. */
export function addFile(files: AttemptFile[], file: AttemptFile): void {
  if (files.length >= MAX_FILES) return
  const isListed = files.some(
    ({ path, name, attempt }) => path === file.path && attempt === file.attempt && name === file.name,
  )
  if (!isListed) files.push(file)
}

/** Returns the files of a suite with one more. The list is shared by nested suites and never changed. */
export const withSuiteFile = (files: NamedFile[], file: NamedFile): NamedFile[] =>
  files.length >= MAX_SUITE_FILES || files.some(({ path }) => path === file.path) ? files : [...files, file]

/** Names the file of a scope that was named last, if it has no name yet. */
export function nameLastFile<F extends NamedFile>(files: readonly F[], name: string): F[] {
  const named = files.slice()
  const last = named.at(-1)
  if (last !== undefined && last.name === null) named.splice(-1, 1, { ...last, name: name.slice(0, MAX_NAME_LENGTH) })
  return named
}

/**
 * Converts a path or a `data:` address to a file; null if there is none.
 * @param keepsContent whether the content of a `data:` address is kept, not only its digest
 */
export function toNamedFile(value: string, keepsContent: boolean): NamedFile | null {
  if (isDataAddress(value)) return toDataFile(value, keepsContent)
  if (value === '' || value.length > MAX_PATH_LENGTH || value.includes('\0')) return null
  return { path: value, name: null }
}

/** A file whose content is known has a short path that stands for it: `data:` and the digest. */
function toDataFile(address: string, keepsContent: boolean): NamedFile {
  const comma = address.indexOf(',')
  const [type = '', ...parameters] = address.slice('data:'.length, Math.max(comma, 0)).toLowerCase().split(';')
  const extension = Object.hasOwn(EXTENSIONS, type.trim())
    ? EXTENSIONS[type.trim()]
    : type.trim() === ''
      ? 'txt'
      : 'bin'
  const name = `attachment.${extension ?? 'bin'}`
  const isBase64 = parameters.some((parameter) => parameter.trim() === 'base64')
  const content = comma === -1 ? null : decodeData(address.slice(comma + 1), isBase64)
  // Nothing matches this path, so that the file is reported as not stored.
  if (content === null) return { path: 'data:', name }
  const digest = createHash('sha256').update(content).digest('hex')
  const known = { path: `data:${digest}`, name, sha256: digest, byteCount: content.length }
  return keepsContent ? { ...known, content } : known
}

function decodeData(data: string, isBase64: boolean): Uint8Array | null {
  if (data.length > MAX_DATA_LENGTH) return null
  try {
    const text = decodeURIComponent(data)
    const bytes = isBase64 ? Buffer.from(text, 'base64') : Buffer.from(text, 'utf8')
    return bytes.length > MAX_DATA_BYTES ? null : bytes
  } catch {
    return null
  }
}
