import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { startServerForTest, type TestServer, useTestServer } from '@caseward/test-support/test-server'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { adoptFileStores, bindFileStore, checkBinding } from './bind-file-store.ts'
import { LOCATION } from './file-store.ts'
import { createOwnFileStore, openFileStore } from './open-file-store.ts'
import { requireOwnFileStore } from './require-own-file-store.ts'

const server = useTestServer()

const noS3 = {
  filesStore: null,
  s3BucketUrl: null,
  s3Region: 'us-east-1',
  s3AccessKeyId: null,
  s3SecretAccessKey: null,
  s3Prefix: '',
}
const createSettings = async () => ({ filesDir: await createTemporaryDirectory(), filesMinFreeMb: 0, ...noS3 })

const warnings: unknown[] = []
const log = { warn: (...args: unknown[]) => void warnings.push(args) }
const start = ({ db }: TestServer, settings: Awaited<ReturnType<typeof createSettings>>) =>
  requireOwnFileStore(db, settings, log)

describe('the file store of a server', () => {
  it('belongs to the database of the first server that writes, and to all servers of this database', async () => {
    const { db } = await startServerForTest()
    const settings = await createSettings()
    const store = await openFileStore(settings)
    expect(await checkBinding(db, store, [])).toBe('new')
    await expect(createOwnFileStore(db, settings).getAt(LOCATION.directory)).rejects.toThrow('no file has been stored')
    const servers = [1, 2, 3].map(() => createOwnFileStore(db, settings))
    await Promise.all(servers.map((own) => own.getForWriting()))
    expect(await checkBinding(db, store, [])).toBe('own')
    await expect(createOwnFileStore(db, settings).getAt(LOCATION.directory)).resolves.toMatchObject({
      description: settings.filesDir,
    })
  })

  it('is not used by a server with another database', async () => {
    const settings = await createSettings()
    await createOwnFileStore(server.db, settings).getForWriting()
    const other = await startServerForTest()
    await expect(createOwnFileStore(other.db, settings).getForWriting()).rejects.toThrow('belongs to another database')
    await expect(start(other, settings)).rejects.toThrow('admin adopt-files')
    const marker = join(settings.filesDir, 'store.json')
    const text = await readFile(marker, 'utf8')
    await writeFile(marker, 'not JSON')
    await expect(start(other, settings)).rejects.toThrow('belongs to another database')
    await writeFile(marker, text)
    await adoptFileStores(other.db, [await openFileStore(settings)])
    await start(other, settings)
    await expect(start(server, settings)).rejects.toThrow('belongs to another database')
    await adoptFileStores(server.db, [await openFileStore(settings)])
  })

  it('is not used when its directory is empty although files were stored', async () => {
    const { db } = await startServerForTest()
    const settings = await createSettings()
    const store = await openFileStore(settings)
    expect(await bindFileStore(db, store, [])).toBe('own')
    await rm(join(settings.filesDir, 'store.json'))
    await expect(requireOwnFileStore(db, settings, log)).rejects.toThrow('is empty, but files have been stored')
    await expect(createOwnFileStore(db, settings).getForWriting()).rejects.toThrow('is empty')
  })

  it('is bound by the next server when one ended between the two halves of it', async () => {
    const { db } = await startServerForTest()
    const settings = await createSettings()
    const store = await openFileStore(settings)
    await bindFileStore(db, store, [])
    const marker = await store.readMarker()
    await db.updateTable('instance_settings').set({ file_store_id: null }).execute()
    // It was killed again before the marker had its name.
    await writeFile(join(settings.filesDir, 'tmp/store.json.1'), '{')
    expect(await bindFileStore(db, store, [])).toBe('own')
    expect(await store.readMarker()).toBe(marker)
    expect(await readdir(join(settings.filesDir, 'tmp'))).toEqual([])
  })

  it('does not keep a server from starting while it is unavailable', async () => {
    const settings = await createSettings()
    const file = join(settings.filesDir, 'a-file')
    await writeFile(file, '')
    await requireOwnFileStore(server.db, { ...settings, filesDir: join(file, 'files') }, log)
    expect(JSON.stringify(warnings)).toContain('the file store is unavailable')
  })
})
