import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXAMPLE_SERVICE, startExamplePostgres } from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { createUnmanagedDirectory } from '@caseward/test-support/unmanaged-directory'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EmbeddedPostgres } from './embedded-postgres.ts'
import { findPackage } from './find-package.ts'

const start = (dataDir: string) => startExamplePostgres({ dataDir })

describe('startEmbeddedPostgres with a new data directory', () => {
  let directory: string
  let server: EmbeddedPostgres

  beforeAll(async () => {
    directory = await createUnmanagedDirectory()
    server = await startExamplePostgres({ dataDir: join(directory, 'data'), sharedBuffersMb: 48 })
  })
  afterAll(async () => {
    await server.close()
    await rm(directory, { recursive: true })
  })

  it('compares letters outside ASCII without case and makes trigrams of them', async () => {
    await query(server.connection, 'create extension pg_trgm')
    const [row] = await query(
      server.connection,
      `select 'ÄNDERUNG Прüfung' ilike '%änderung пРÜ%' as found, cardinality(show_trgm('тест')) as trigrams`,
    )
    expect(row).toEqual({ found: true, trigrams: 5 })
  })

  it('turns on durability settings and data checksums, and uses UTC and UTF-8', async () => {
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'TimeZone', 'server_encoding']
    const rows = await query<{ setting: string }>(
      server.connection,
      `select setting from unnest('{${names.join()}}'::text[]) with ordinality as n (name, i), current_setting(name) as setting order by i`,
    )
    expect(rows.map(({ setting }) => setting)).toEqual(['on', 'on', 'on', 'on', 'UTC', 'UTF8'])
  })

  it('uses the size of shared memory that is given, whatever its configuration file says', async () => {
    expect(await query(server.connection, 'show shared_buffers')).toEqual([{ shared_buffers: '48MB' }])
  })

  it('listens only on a Unix socket in a directory that other accounts cannot enter', async () => {
    const [row] = await query(server.connection, `select current_setting('listen_addresses') as addresses`)
    expect(row).toEqual({ addresses: '' })
    expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700)
  })

  it('rejects connections without the password, and stores the password in a private file', async () => {
    const withWrongPassword = new Client({ ...server.connection, password: 'guessed' })
    await expect(withWrongPassword.connect()).rejects.toThrow(/password authentication failed/)
    const superuser = new Client({ ...server.connection, user: 'postgres' })
    await expect(superuser.connect()).rejects.toThrow(/no pg_hba.conf entry/)
    expect((await stat(join(server.clusterDirectory, 'example.password'))).mode & 0o777).toBe(0o600)
  })

  it('creates a role that is no superuser and can create databases', async () => {
    const [row] = await query(
      server.connection,
      'select rolsuper, rolcreatedb from pg_roles where rolname = current_user',
    )
    expect(row).toEqual({ rolsuper: false, rolcreatedb: true })
  })
})

describe('startEmbeddedPostgres with a data directory that cannot be used', () => {
  it('fails when it, or a parent of it, is a file', async () => {
    const file = join(await createTemporaryDirectory(), 'file')
    await writeFile(file, '')
    await expect(start(file)).rejects.toThrow(/is a file: move the file away, or set EXAMPLE_DIR/)
    await expect(start(join(file, 'data'))).rejects.toThrow(/is a file: move the file away, or set EXAMPLE_DIR/)
  })

  it('fails when it contains other files in place of the database', async () => {
    const dataDir = await createTemporaryDirectory()
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'notes.txt'), '')
    await expect(start(dataDir)).rejects.toThrow(/contains files that are not a PostgreSQL database: move them away/)
    await rm(join(dataDir, 'postgres', 'notes.txt'))
  })
})

describe('findPackage', () => {
  it('fails with the alternative when the platform is not supported or its package is not installed', () => {
    expect(() => findPackage(EXAMPLE_SERVICE, 'sunos-x64')).toThrow(
      'Example does not include PostgreSQL for sunos-x64: set EXAMPLE_URL',
    )
    const another = process.platform === 'darwin' ? 'linux-x64' : 'darwin-arm64'
    expect(() => findPackage(EXAMPLE_SERVICE, another)).toThrow(/is not installed.*set EXAMPLE_URL/)
  })
})
