import type { Readable } from 'node:stream'

/** Bytes of a file from `start` to `end`, both included. */
export interface ByteRange {
  start: number
  end: number
}

/** What is known of a content once it is written. */
export interface WrittenFile {
  byteCount: number
  /** SHA-256. */
  digest: Buffer
  /** The first 64 KB, to detect the type. */
  head: Buffer
}

/** What a store needs to go on with a content that is received in parts. It is kept as JSON between the parts. */
export type PartsState = Readonly<Record<string, unknown>>

/** A part that was received, and does not count until it is added. */
export interface ReceivedPart {
  byteCount: number
  /** Adds the part to the content, durably, and returns its new state. Only one part may be added at the same time. */
  add(): Promise<PartsState>
  /** Removes what was received of the part, if the store can tell it from others. */
  discard(): Promise<void>
}

/** Where `files.location` says that a content is. */
export const LOCATION = { directory: 0, s3: 1 } as const
export type Location = (typeof LOCATION)[keyof typeof LOCATION]

/**
 * Where contents are kept. A name is `<project id>/<last two digits of the id>/<id>` ({@link toFileName}), is used once, and
 * is ordered by its characters. All methods throw {@link FileStoreError} when the store fails.
 */
export interface FileStore {
  location: Location
  /** For messages: `/data/files`, or the URL of a bucket. */
  description: string
  /**
   * Writes a content, which is complete and durable when the promise is fulfilled. Otherwise, nothing has the name.
   * @throws the errors of `content`; {@link FileStoreError} `too_large` above the limit
   */
  write(name: string, content: AsyncIterable<Uint8Array>, limitBytes: number): Promise<WrittenFile>
  /** The least size of all parts but the last one. */
  minPartBytes: number
  /** Begins a content that is received in parts. */
  beginParts(name: string): Promise<PartsState>
  /**
   * Receives a part that begins at an offset. Several servers can receive the same one: the caller chooses which is added.
   * @throws the errors of `content`; {@link FileStoreError} `too_large` above the limit
   */
  receivePart(
    name: string,
    state: PartsState,
    content: AsyncIterable<Uint8Array>,
    { offset, limitBytes }: { offset: number; limitBytes: number },
  ): Promise<ReceivedPart>
  /** Completes a content of which all parts were added. Repeating it is no error. */
  finishParts(name: string, state: PartsState, byteCount: number): Promise<void>
  /** Removes what was received of a content. */
  cancelParts(name: string, state: PartsState): Promise<void>
  /** Opens a content. @throws {FileStoreError} `missing` */
  read(name: string, range?: ByteRange): Promise<Readable>
  /** Removes contents, whatever was written of them, and with `<project id>/` all of a project. A missing name is no error. */
  remove(names: readonly string[]): Promise<void>
  /** Lists up to 10,000 names after a name, in order. */
  list(after: string): Promise<string[]>
  /** @throws {FileStoreError} `full` or `unavailable`, when a content could not be written now */
  check(): Promise<void>
  /**
   * Creates an address from which the content is loaded without this server, as the type and under the disposition that are part
   * of its signature; null for a store that has none.
   */
  createAddress:
    | ((name: string, options: { contentType: string; disposition: string; seconds: number }) => string)
    | null
  /** Reads the text that says which database the store belongs to; null without one. */
  readMarker(): Promise<string | null>
  writeMarker(text: string): Promise<void>
}

export type FileStoreErrorCode = 'missing' | 'too_large' | 'full' | 'unavailable'

/** A file store cannot do what it is asked for. */
export class FileStoreError extends Error {
  override readonly name = 'FileStoreError'
  readonly code: FileStoreErrorCode

  constructor(code: FileStoreErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Names that one page of {@link FileStore.list} has at most. */
export const NAMES_PER_PAGE = 10_000

/** The name of the file that says which database a store belongs to. */
export const MARKER_NAME = 'store.json'

/** Returns the name of a content in a store. */
export const toFileName = (projectId: string, id: string): string => `${projectId}/${id.slice(-2)}/${id}`

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const FILE_NAME = new RegExp(`^${UUID}/([0-9a-f]{2})/${UUID}$`)
const PROJECT_NAME = new RegExp(`^${UUID}/$`)

/** Whether a name is one that {@link toFileName} returns. */
export const isFileName = (name: string): boolean => name.slice(-2) === FILE_NAME.exec(name)?.[1]

/** Whether a name is `<project id>/`, which stands for all contents of a project. */
export const isProjectName = (name: string): boolean => PROJECT_NAME.test(name)

/** Names become paths: one that is not a name would leave the store. */
export function assertFileName(name: string): void {
  if (!isFileName(name)) throw new Error(`${JSON.stringify(name)} is not the name of a file`)
}
