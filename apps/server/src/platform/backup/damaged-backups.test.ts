import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

import { createTarget, openClient } from '@caseward/test-support/backup-scenario'
import { cloneDatabase, type TestDatabase } from '@caseward/test-support/database'
import { query } from '@caseward/test-support/query'
import { listServiceTables } from '@caseward/test-support/table-digests'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { createUnmanagedDirectory } from '@caseward/test-support/unmanaged-directory'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { verifyBackup } from './read-backup.ts'
import { requireRestorableBackup, restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

const insertUser = `insert into users (id, email, name) values (gen_random_uuid(), 'ada@example.test', 'Ada')`

/** A database with one user, and a backup of it. */
let source: TestDatabase
let backup: Buffer
let directory: string
beforeAll(async () => {
  source = await cloneDatabase()
  await query(source.connection as pg.ClientConfig, insertUser)
  directory = await createUnmanagedDirectory()
  const file = join(directory, 'backup.gz')
  const client = new pg.Client(source.connection)
  await client.connect()
  await writeBackup(client, file)
  await client.end()
  backup = await readFile(file)
})
afterAll(async () => {
  await source.drop()
  await rm(directory, { recursive: true })
})

/** Writes the backup to a file of its own. */
async function makeBackup(): Promise<{ file: string; connection: pg.PoolConfig }> {
  const file = join(await createTemporaryDirectory(), 'backup.gz')
  await writeFile(file, backup)
  return { file, connection: source.connection }
}

const changeText = (change: (text: string) => string) => (bytes: Buffer) =>
  gzipSync(change(gunzipSync(bytes).toString()))

function readText(bytes: Buffer): Buffer | undefined {
  try {
    return gunzipSync(bytes)
  } catch {
    return undefined
  }
}

describe('a damaged backup', () => {
  it.each<[name: string, change: (bytes: Buffer) => Buffer, message: string]>([
    ['is empty', () => Buffer.alloc(0), 'is damaged: it is incomplete'],
    ['is another file', () => Buffer.from('-- PostgreSQL database dump\n'), 'is not a backup of Caseward'],
    ['is another compressed file', () => gzipSync('-- PostgreSQL database dump\n'), 'is not a backup of Caseward'],
    ['has lost its end', (bytes) => bytes.subarray(0, -1), 'is damaged: it is incomplete'],
    ['has lost its second half', (bytes) => bytes.subarray(0, bytes.length / 2), 'is damaged: it is incomplete'],
    ['has no last line', changeText((text) => text.replace(/-- sha256.*\n$/, '')), 'its checksum is wrong'],
    ['ends within a table', changeText((text) => text.slice(0, text.indexOf('ada@'))), 'it ends within a table'],
    ['has another text', changeText((text) => text.replace('ada@', 'eve@')), 'its checksum is wrong'],
    ['has another table', changeText((text) => text.replace('\nCOPY', '\nCOPY more')), 'another order than its header'],
    ['has lines after its end', changeText((text) => `${text}\n`), 'something follows its end'],
    [
      'has an incomplete header',
      changeText((text) => text.replace('"tables":[', '"tables":[{},')),
      'its header is inc',
    ],
  ])('is refused when it %s', async (_, change, message) => {
    const { file } = await makeBackup()
    await writeFile(file, change(await readFile(file)))
    await expect(verifyBackup(file)).rejects.toThrow(message)
    await expect(requireRestorableBackup(file)).rejects.toThrow(file)
  })

  it('is refused when a byte of it is another one', async () => {
    const { file } = await makeBackup()
    const bytes = await readFile(file)
    const text = gunzipSync(bytes)
    let refused = 0
    for (let index = 20; index < bytes.length; index += Math.ceil(bytes.length / 20)) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(bytes.readUInt8(index) ^ 4, index)
      // A few bits of compressed data say nothing, such as codes that no text uses: then the backup is unharmed.
      if (readText(changed)?.equals(text) === true) continue
      await writeFile(file, changed)
      await expect(verifyBackup(file)).rejects.toThrow(/is damaged|is not a backup/)
      refused++
    }
    expect(refused).toBeGreaterThan(15)
  })

  it('leaves the database empty when it is damaged after it was checked', async () => {
    const { file } = await makeBackup()
    const target = await createTarget()
    await writeFile(file, changeText((text) => text.replace('ada@', 'eve@'))(await readFile(file)))
    await expect(restoreBackup(target, file)).rejects.toThrow('its checksum is wrong')
    await writeFile(file, changeText((text) => text.replace('\tAda\t', '\t'))(await readFile(file)))
    await expect(restoreBackup(target, file)).rejects.toThrow(
      'PostgreSQL does not accept the rows of the table public.users: ',
    )
    expect(await listServiceTables(target)).toEqual([])
  })
})

describe('a backup of a newer version', () => {
  it.each([
    ['format', '"format_version":1', '"format_version":2'],
    ['migration', '"migrations":[', '"migrations":["9999_more",'],
  ])('is refused because of its %s', async (_, before, after) => {
    const { file } = await makeBackup()
    const text = gunzipSync(await readFile(file)).toString()
    const body = text.replace(before, after).replace(/-- sha256.*\n$/, '')
    await writeFile(file, gzipSync(`${body}-- sha256 ${createHash('sha256').update(body).digest('hex')}\n`))
    await expect(requireRestorableBackup(file)).rejects.toThrow(/was written by a newer version of Caseward \(0\./)
  })
})

describe('restoreBackup', () => {
  it('refuses a database that is not empty', async () => {
    const { file, connection } = await makeBackup()
    await expect(restoreBackup(connection, file)).rejects.toThrow('The database is not empty: nothing was restored.')
    const foreign = await createTarget()
    await query(foreign as pg.ClientConfig, 'create schema shop create table orders (id int)')
    await expect(restoreBackup(foreign, file)).rejects.toThrow('The database is not empty')
  })

  it('accepts a database in which an extension is installed, and the empty job queue of an interrupted restore', async () => {
    const { file } = await makeBackup()
    const target = await createTarget()
    await query(target as pg.ClientConfig, 'create extension pg_trgm')
    await expect(restoreBackup(target, `${file}.missing`)).rejects.toThrow('it, or its directory, does not exist')
    expect((await restoreBackup(target, file)).header.tables.length).toBeGreaterThan(20)
  })
})

describe('writeBackup', () => {
  it('refuses a file that exists, and a directory that does not', async () => {
    const { file, connection } = await makeBackup()
    const before = await readFile(file)
    await expect(writeBackup(await openClient(connection), file)).rejects.toThrow('exists already')
    expect(await readFile(file)).toEqual(before)
    const missing = join(file, '..', 'missing', 'backup.gz')
    await expect(writeBackup(await openClient(connection), missing)).rejects.toThrow('does not exist')
  })
})
