import { Readable } from 'node:stream'

import { S3mini, type UploadPart } from 's3mini'

import { type ContentMeter, createContentMeter } from './content-meter.ts'
import {
  assertFileName,
  FileStoreError,
  type FileStore,
  isProjectName,
  LOCATION,
  MARKER_NAME,
  NAMES_PER_PAGE,
} from './file-store.ts'
import { signS3Address } from './sign-s3-address.ts'

export interface S3StoreOptions {
  /** URL of the bucket: `https://s3.example.com/bucket`. */
  bucketUrl: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** What all keys begin with, such as `caseward/`. */
  prefix: string
}

/** The state of a content that is received in parts. */
interface S3Parts {
  uploadId: string
  parts: UploadPart[]
}

/** Contents up to this size are one request. Of larger ones, one part is sent while the next one is received. */
const PART_BYTES = 8 * 1024 * 1024
/** S3 removes and lists so many keys with one request. */
const KEYS_PER_REQUEST = 1000
/** A server that sends no headers for so long is unavailable. A body may take longer. */
const RESPONSE_TIMEOUT_MS = 30_000
const CONTENT_TYPE = 'application/octet-stream'

/** Keeps contents as objects of an S3-compatible bucket. */
export function createS3Store({ bucketUrl, prefix, ...credentials }: S3StoreOptions): FileStore {
  const s3 = new S3mini({ ...credentials, endpoint: bucketUrl, fetch: fetchWithTimeout })
  const toKey = (name: string) => `${prefix}${name}`

  async function listNames(namePrefix: string, after: string, limit: number): Promise<string[]> {
    const names: string[] = []
    while (names.length < limit) {
      const startAfter = names.at(-1) ?? after
      const page = await inStore(
        s3.listObjectsPaged(
          '/',
          toKey(namePrefix),
          KEYS_PER_REQUEST,
          undefined,
          startAfter === '' ? {} : { 'start-after': toKey(startAfter) },
        ),
      )
      const keys = page?.objects?.map(({ Key: key }) => key.slice(prefix.length)) ?? []
      names.push(...keys)
      if (keys.length < KEYS_PER_REQUEST) break
    }
    return names.slice(0, limit)
  }

  const removeKeys = (names: readonly string[]) => inStore(s3.deleteObjects(names.map(toKey)))

  async function removeProject(name: string): Promise<void> {
    for (;;) {
      const names = await listNames(name, '', KEYS_PER_REQUEST)
      if (names.length === 0) return
      await removeKeys(names)
    }
  }

  return {
    location: LOCATION.s3,
    description: `${bucketUrl}${prefix === '' ? '' : ` (${prefix})`}`,
    async write(name, content, limitBytes) {
      assertFileName(name)
      const key = toKey(name)
      const meter = createContentMeter(limitBytes)
      const upload = createMultipartUpload(s3, key)
      try {
        let isFirst = true
        let held: Buffer | null = null
        for await (const part of toParts(content, meter)) {
          if (held !== null) await upload.send(held)
          held = part
          isFirst = false
        }
        if (upload.isStarted()) {
          if (held !== null) await upload.send(held)
          await upload.complete()
        } else {
          await inStore(s3.putObject(key, isFirst || held === null ? Buffer.alloc(0) : held, CONTENT_TYPE))
        }
      } catch (error) {
        await upload.abort()
        throw error
      }
      return meter.finish()
    },
    // The least that S3 takes.
    minPartBytes: 5 * 1024 * 1024,
    async beginParts(name) {
      assertFileName(name)
      return { uploadId: await inStore(s3.getMultipartUploadId(toKey(name), CONTENT_TYPE)), parts: [] }
    },
    async receivePart(name, state, content, { limitBytes }) {
      const { uploadId, parts } = state as unknown as S3Parts
      const chunks: Uint8Array[] = []
      let byteCount = 0
      for await (const chunk of content) {
        byteCount += chunk.length
        if (byteCount > limitBytes) throw new FileStoreError('too_large', `The part exceeds ${limitBytes} bytes`)
        chunks.push(chunk)
      }
      // If another server sends other bytes under this number, S3 refuses to complete the content.
      const part = await inStore(s3.uploadPart(toKey(name), uploadId, Buffer.concat(chunks), parts.length + 1))
      return {
        byteCount,
        add: () => Promise.resolve({ uploadId, parts: [...parts, part] }),
        discard: () => Promise.resolve(),
      }
    },
    async finishParts(name, state) {
      const { uploadId, parts } = state as unknown as S3Parts
      try {
        await inStore(s3.completeMultipartUpload(toKey(name), uploadId, parts))
      } catch (error) {
        // Another server, or this one before it ended, has completed it.
        if (!(await inStore(s3.objectExists(toKey(name))))) throw error
      }
    },
    async cancelParts(name, state) {
      const { uploadId } = state as unknown as S3Parts
      // It may be complete, and then has no upload.
      await s3.abortMultipartUpload(toKey(name), uploadId).catch(() => {})
      await removeKeys([name])
    },
    async read(name, range) {
      assertFileName(name)
      const response = await inStore(
        range === undefined
          ? s3.getObjectRaw(toKey(name))
          : s3.getObjectRaw(toKey(name), false, range.start, range.end + 1),
      )
      if (response.body === null) return Readable.from([])
      return Readable.fromWeb(response.body)
    },
    async remove(names) {
      for (const name of names.filter(isProjectName)) await removeProject(name)
      const files = names.filter((name) => !isProjectName(name))
      files.forEach(assertFileName)
      if (files.length > 0) await removeKeys(files)
    },
    async list(after) {
      const names = await listNames('', after, NAMES_PER_PAGE)
      return names.filter((name) => name !== MARKER_NAME)
    },
    async check() {
      const page = await inStore(s3.listObjectsPaged('/', toKey(MARKER_NAME), 1))
      if (page === null) throw new FileStoreError('unavailable', 'The bucket does not exist')
    },
    createAddress(name, { contentType, disposition, seconds }) {
      assertFileName(name)
      const address = new URL(`${bucketUrl}/${toKey(name)}`)
      address.searchParams.set('response-cache-control', 'private, no-cache')
      address.searchParams.set('response-content-disposition', disposition)
      address.searchParams.set('response-content-type', contentType)
      return signS3Address(address, { ...credentials, seconds, now: new Date() })
    },
    readMarker: () => inStore(s3.getObject(toKey(MARKER_NAME))),
    async writeMarker(text) {
      await inStore(s3.putObject(toKey(MARKER_NAME), text, 'application/json'))
    },
  }
}

/** Collects a content into parts of 8 MiB; the last one is shorter. */
async function* toParts(content: AsyncIterable<Uint8Array>, meter: ContentMeter): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of content) {
    meter.add(chunk)
    let rest = chunk
    while (bytes + rest.length >= PART_BYTES) {
      const end = PART_BYTES - bytes
      yield Buffer.concat([...chunks, rest.subarray(0, end)])
      rest = rest.subarray(end)
      chunks = []
      bytes = 0
    }
    if (rest.length > 0) chunks.push(rest)
    bytes += rest.length
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}

/** An upload in parts, which begins with its first part. At most one part is on its way. */
function createMultipartUpload(s3: S3mini, key: string) {
  let uploadId: string | null = null
  let sending: Promise<void> = Promise.resolve()
  const parts: UploadPart[] = []
  return {
    isStarted: () => uploadId !== null,
    async send(part: Buffer): Promise<void> {
      await sending
      uploadId ??= await inStore(s3.getMultipartUploadId(key, CONTENT_TYPE))
      const number = parts.length + 1
      sending = inStore(s3.uploadPart(key, uploadId, part, number)).then((sent) => void parts.push(sent))
      sending.catch(() => {}) // thrown when it is awaited
    },
    async complete(): Promise<void> {
      await sending
      if (uploadId !== null) await inStore(s3.completeMultipartUpload(key, uploadId, parts))
    },
    async abort(): Promise<void> {
      await sending.catch(() => {})
      // What is left then is removed by the bucket's rule for incomplete uploads.
      if (uploadId !== null) await s3.abortMultipartUpload(key, uploadId).catch(() => {})
    },
  }
}

/** `fetch` that does not wait for the headers of a response for long. */
async function fetchWithTimeout(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error('The server did not respond')), RESPONSE_TIMEOUT_MS)
  try {
    return await fetch(url, { ...init, signal: controller.signal })
  } finally {
    clearTimeout(timer)
  }
}

const inStore = <T>(operation: Promise<T>): Promise<T> =>
  operation.catch((error: unknown) => {
    const { message, status } = error as Error & { status?: number }
    throw new FileStoreError(status === 404 ? 'missing' : 'unavailable', message, error)
  })
