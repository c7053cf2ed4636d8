import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'

import { describe, expect, it } from 'vitest'
import { v7 as createId } from 'uuid'

import { S3_CREDENTIALS, startS3Server } from '@caseward/test-support/s3-server'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { createDirectoryStore } from './directory-store.ts'
import { type FileStore, FileStoreError, type PartsState, toFileName } from './file-store.ts'
import { createS3Store } from './s3-store.ts'

const MEBIBYTE = 1024 * 1024
const LIMIT = 100 * MEBIBYTE

const stores = {
  'directory store': async () => createDirectoryStore({ directory: await createTemporaryDirectory(), minFreeBytes: 0 }),
  'S3 store': async () =>
    createS3Store({ ...S3_CREDENTIALS, bucketUrl: (await startS3Server()).bucketUrl, prefix: 'some/prefix/' }),
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Splits bytes into chunks as they come from a socket. */
async function* toChunks(bytes: Uint8Array, size = 65_521): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function writeBytes(store: FileStore, bytes: Uint8Array, projectId = createId()) {
  const name = toFileName(projectId, createId())
  return { name, written: await store.write(name, toChunks(bytes), LIMIT) }
}

const readBytes = async (...args: Parameters<FileStore['read']>) => await buffer(await currentStore.read(...args))
let currentStore: FileStore

async function useStore(create: () => Promise<FileStore>): Promise<FileStore> {
  currentStore = await create()
  await currentStore.writeMarker('{}')
  return currentStore
}

const getCode = (error: unknown) => (error instanceof FileStoreError ? error.code : error)

describe.each(Object.entries(stores))('%s', (_name, create) => {
  it.each([0, 8 * MEBIBYTE, 16 * MEBIBYTE + 1])(
    'returns a content of %i bytes as it was written, with its digest',
    async (size) => {
      const store = await useStore(create)
      const bytes = randomBytes(size)
      const { name, written } = await writeBytes(store, bytes)
      expect({ ...written, digest: written.digest.toString('hex') }).toEqual({
        byteCount: size,
        digest: sha256(bytes),
        head: bytes.subarray(0, 65_536),
      })
      expect(sha256(await readBytes(name))).toBe(sha256(bytes))
    },
  )

  it('completes a content of parts, of which only one of two at the same place was added, and completes it only once', async () => {
    const store = await useStore(create)
    const bytes = randomBytes(8 * MEBIBYTE + 5)
    const name = toFileName(createId(), createId())
    const receive = (content: Uint8Array, offset: number, parts: PartsState) =>
      store.receivePart(name, parts, toChunks(content), { offset, limitBytes: 8 * MEBIBYTE })
    let state = await store.beginParts(name)
    // The same bytes with S3, where the last one under a number counts.
    const left = await receive(bytes.subarray(0, 8 * MEBIBYTE), 0, state)
    const first = await receive(bytes.subarray(0, 8 * MEBIBYTE), 0, state)
    state = await first.add()
    await left.discard()
    await expect(receive(randomBytes(8 * MEBIBYTE + 1), 8 * MEBIBYTE, state).catch(getCode)).resolves.toBe('too_large')
    expect(await store.list('')).toEqual([])
    const last = await receive(bytes.subarray(8 * MEBIBYTE), 8 * MEBIBYTE, state)
    expect(last.byteCount).toBe(5)
    state = await last.add()
    await store.finishParts(name, state, bytes.length)
    await store.finishParts(name, state, bytes.length)
    expect(sha256(await readBytes(name))).toBe(sha256(bytes))
    await store.cancelParts(name, state)
    expect(await store.list('')).toEqual([])
  })

  it('returns a range with both of its ends', async () => {
    const store = await useStore(create)
    const { name } = await writeBytes(store, Buffer.from('0123456789'))
    expect((await readBytes(name, { start: 2, end: 4 })).toString()).toBe('234')
    expect((await readBytes(name, { start: 9, end: 9 })).toString()).toBe('9')
  })

  it('keeps nothing of a content that fails, or that exceeds the limit', async () => {
    const store = await useStore(create)
    const names = [toFileName(createId(), createId()), toFileName(createId(), createId())] as const
    async function* fail() {
      yield randomBytes(9 * MEBIBYTE)
      throw new Error('the client is gone')
    }
    await expect(store.write(names[0], fail(), LIMIT)).rejects.toThrow('the client is gone')
    await expect(store.write(names[1], toChunks(randomBytes(11)), 10).catch(getCode)).resolves.toBe('too_large')
    expect(await store.list('')).toEqual([])
    await expect(store.read(names[0]).catch(getCode)).resolves.toBe('missing')
  })

  it('removes contents, ignores missing ones, and removes all of a project', async () => {
    const store = await useStore(create)
    const projectId = createId()
    const names = await Promise.all(
      [projectId, projectId, createId()].map(async (id) => (await writeBytes(store, Buffer.from('a'), id)).name),
    )
    const [first = '', second = '', third = ''] = names
    await store.remove([first, toFileName(projectId, createId())])
    await expect(store.read(first).catch(getCode)).resolves.toBe('missing')
    expect(new Set(await store.list(''))).toEqual(new Set([second, third]))
    await store.remove([`${projectId}/`])
    expect(await store.list('')).toEqual([third])
  })

  it('lists names in order after a name', async () => {
    const store = await useStore(create)
    const names: string[] = []
    for (let index = 0; index < 12; index += 1) {
      names.push((await writeBytes(store, Buffer.from(String(index)))).name)
    }
    names.sort()
    expect(await store.list('')).toEqual(names)
    expect(await store.list(names[4] as string)).toEqual(names.slice(5))
    expect(await store.list(names.at(-1) as string)).toEqual([])
  })

  it.each(['../escape', '/etc/passwd', '', 'store.json', `${createId()}/00/${createId()}x`])(
    'refuses the name %j',
    async (name) => {
      const store = await useStore(create)
      await expect(store.read(name)).rejects.toThrow('is not the name of a file')
      await expect(store.remove([name])).rejects.toThrow('is not the name of a file')
      await expect(store.write(name, toChunks(Buffer.from('a')), LIMIT)).rejects.toThrow('is not the name of a file')
    },
  )

  it('keeps the text of its marker', async () => {
    const store = await create()
    expect(await store.readMarker()).toBeNull()
    await store.writeMarker('first')
    await store.writeMarker('second')
    expect(await store.readMarker()).toBe('second')
    expect(await store.list('')).toEqual([])
    await store.check()
  })
})
