import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'
import { v7 as createId } from 'uuid'

import { S3_CREDENTIALS, startS3Server } from '@caseward/test-support/s3-server'
import { fillDisk, mountSmallDisk } from '@caseward/test-support/small-disk'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { createDirectoryStore } from './directory-store.ts'
import { FileStoreError, toFileName } from './file-store.ts'
import { createS3Store } from './s3-store.ts'

const getCode = (error: unknown) => (error instanceof FileStoreError ? error.code : error)

async function* repeatBytes(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield Buffer.alloc(65_536, 'a')
}

const createName = () => toFileName(createId(), createId())

describe('directory store', () => {
  it('refuses contents when less than the configured space is free', async () => {
    const store = createDirectoryStore({ directory: await createTemporaryDirectory(), minFreeBytes: 2 ** 60 })
    await expect(store.check().catch(getCode)).resolves.toBe('full')
    await expect(store.write(createName(), repeatBytes(1), 1e6).catch(getCode)).resolves.toBe('full')
    expect(await store.list('')).toEqual([])
  })

  it('keeps nothing of a content that does not fit on the disk', async (context) => {
    const directory = await mountSmallDisk(context, 4)
    const store = createDirectoryStore({ directory, minFreeBytes: 0 })
    await expect(store.write(createName(), repeatBytes(80), 1e8).catch(getCode)).resolves.toBe('full')
    const name = createName()
    await store.write(name, repeatBytes(1), 1e8)
    const filler = await fillDisk(directory)
    await expect(store.write(createName(), repeatBytes(1), 1e8).catch(getCode)).resolves.toBe('full')
    await rm(filler)
    expect(await store.list('')).toEqual([name])
  })

  it('is unavailable, and has lost nothing, when its directory cannot be used', async () => {
    const directory = join(await createTemporaryDirectory(), 'files')
    const store = createDirectoryStore({ directory, minFreeBytes: 0 })
    await store.writeMarker('{}')
    await rm(directory, { recursive: true })
    await expect(store.read(createName()).catch(getCode)).resolves.toBe('unavailable')
    await writeFile(directory, 'a file')
    await expect(store.check().catch(getCode)).resolves.toBe('unavailable')
    await expect(store.write(createName(), repeatBytes(1), 1e8).catch(getCode)).resolves.toBe('unavailable')
    await expect(store.readMarker().catch(getCode)).resolves.toBe('unavailable')
  })
})

describe('S3 store', () => {
  it('is unavailable when the server is down', async () => {
    const { bucketUrl, stop } = await startS3Server()
    const store = createS3Store({ ...S3_CREDENTIALS, bucketUrl, prefix: '' })
    await store.writeMarker('{}')
    await stop()
    await expect(store.check().catch(getCode)).resolves.toBe('unavailable')
    await expect(store.read(createName()).catch(getCode)).resolves.toBe('unavailable')
    await expect(store.write(createName(), repeatBytes(300), 1e8).catch(getCode)).resolves.toBe('unavailable')
    await expect(store.readMarker().catch(getCode)).resolves.toBe('unavailable')
  })

  it('is unavailable when the bucket does not exist, or the key is wrong', async () => {
    const { bucketUrl } = await startS3Server()
    const other = createS3Store({ ...S3_CREDENTIALS, bucketUrl: `${bucketUrl}2`, prefix: '' })
    await expect(other.check().catch(getCode)).resolves.toBe('unavailable')
    const wrongKey = createS3Store({ ...S3_CREDENTIALS, accessKeyId: 'UNKNOWN', bucketUrl, prefix: '' })
    await expect(wrongKey.writeMarker('{}').catch(getCode)).resolves.toBe('unavailable')
  })
})
