import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyDirectory, createRecordingLog, startPostgresProcess } from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { createUnmanagedDirectory } from '@caseward/test-support/unmanaged-directory'
import { waitUntil } from '@caseward/test-support/wait-until'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'
import { findPackage } from './binaries.ts'
import { run } from './run-program.ts'

const start = (dataDir: string) =>
  startEmbeddedPostgres({ dataDir, dataDirIsDefault: false, log: createRecordingLog() })

describe('a new database', () => {
  let folder: string
  let server: EmbeddedPostgres

  beforeAll(async () => {
    folder = await createUnmanagedDirectory()
    server = await start(join(folder, 'data'))
  })
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })

  it('ignores case outside ASCII too, and indexes those letters', async () => {
    await query(server.connection, 'create extension pg_trgm')
    const [row] = await query(
      server.connection,
      `select 'ÄNDERUNG Прüfung' ilike '%änderung пРÜ%' as found, cardinality(show_trgm('тест')) as trigrams`,
    )
    expect(row).toEqual({ found: true, trigrams: 5 })
  })

  it('is durable, checks its pages and keeps UTC', async () => {
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'TimeZone', 'server_encoding']
    const rows = await query<{ setting: string }>(
      server.connection,
      `select setting from unnest('{${names.join()}}'::text[]) with ordinality as n (name, i), current_setting(name) as setting order by i`,
    )
    expect(rows.map(({ setting }) => setting)).toEqual(['on', 'on', 'on', 'on', 'UTC', 'UTF8'])
  })

  it('listens on a Unix socket only, which other accounts cannot reach', async () => {
    const [row] = await query(server.connection, `select current_setting('listen_addresses') as addresses`)
    expect(row).toEqual({ addresses: '' })
    expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700)
  })

  it('lets nobody in without the password, which only its account can read', async () => {
    const stranger = new Client({ ...server.connection, password: 'guessed' })
    await expect(stranger.connect()).rejects.toThrow(/password authentication failed/)
    const superuser = new Client({ ...server.connection, user: 'postgres' })
    await expect(superuser.connect()).rejects.toThrow(/no pg_hba.conf entry/)
    expect((await stat(join(server.clusterDirectory, 'caseward.password'))).mode & 0o777).toBe(0o600)
  })

  it('gives the service the rights of an ordinary role that may create databases', async () => {
    const [row] = await query(
      server.connection,
      'select rolsuper, rolcreatedb from pg_roles where rolname = current_user',
    )
    expect(row).toEqual({ rolsuper: false, rolcreatedb: true })
  })
})

describe('starting again', () => {
  let template: string
  beforeAll(async () => {
    template = await createUnmanagedDirectory()
    const server = await start(join(template, 'data'))
    await query(server.connection, 'create table kept as select 42 as answer')
    await server.close()
  })
  afterAll(() => rm(template, { recursive: true }))

  const stopped = async () => copyDirectory(join(template, 'data'), join(await createTemporaryDirectory(), 'data'))

  it('keeps what was stored, and takes a moment', async () => {
    const dataDir = await stopped()
    const begin = performance.now()
    const server = await start(dataDir)
    expect(performance.now() - begin).toBeLessThan(5000)
    expect(await query(server.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    await server.close()
    expect(await findProcessesIn(dataDir)).toEqual([])
  })

  it('makes a new password when the file with the old one is gone', async () => {
    const dataDir = await stopped()
    await rm(join(dataDir, 'postgres', 'caseward.password'))
    const server = await start(dataDir)
    expect(await query(server.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    await server.close()
  })

  it('says what to do when the password was changed', async () => {
    const dataDir = await stopped()
    const file = join(dataDir, 'postgres', 'caseward.password')
    await writeFile(file, 'another')
    await expect(start(dataDir)).rejects.toThrow(/does not let Caseward in.*delete its file caseward.password/)
    expect(await findProcessesIn(dataDir)).toEqual([])
  })

  it('says what to do about a database of another major version', async () => {
    const dataDir = await stopped()
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    await expect(start(dataDir)).rejects.toThrow(
      /made by PostgreSQL 17.*brings PostgreSQL 18.*DATABASE_URL.*pg_dump 17/,
    )
  })

  it('says what PostgreSQL complains about when its configuration was broken', async () => {
    const dataDir = await stopped()
    await writeFile(join(dataDir, 'postgres', 'postgresql.auto.conf'), "shared_buffers = 'plenty'\n")
    await expect(start(dataDir)).rejects.toThrow(/invalid value for parameter "shared_buffers": "plenty"/)
  })

  it('serves a folder that is too deep for a socket', async () => {
    const dataDir = await copyDirectory(join(template, 'data'), join(await createTemporaryDirectory(), 'd'.repeat(120)))
    const server = await start(dataDir)
    expect(server.connection.host.length).toBeLessThan(80)
    expect(await query(server.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    await expect(start(dataDir)).rejects.toThrow(/in use by another Caseward/)
    await server.close()
    await rm(join(server.connection.host, '..'), { recursive: true })
  })
})

describe('a start that was broken off while the database was being made', () => {
  it('leaves nothing that the next one takes for a database', async () => {
    const folder = await createTemporaryDirectory()
    const dataDir = join(folder, 'data')
    const first = startPostgresProcess({ dataDir })
    await waitUntil(async () => {
      const halfMade = (await readdir(dataDir).catch(() => [])).find((name) => name.startsWith('.postgres-'))
      return halfMade !== undefined && (await readdir(join(dataDir, halfMade))).includes('PG_VERSION')
    }, 'there is half a database')
    // `initdb` runs on for a moment, as it would then.
    for (const pid of await findServers(dataDir)) process.kill(pid, 'SIGKILL')
    expect((await first).error).toBe('it said nothing')

    const server = await start(dataDir)
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.close()
    await waitUntil(async () => (await findProcessesIn(folder)).length === 0, 'the old initdb has ended')
    // What it still wrote behind the back of that start goes with the next.
    const next = await start(dataDir)
    expect((await readdir(dataDir)).toSorted()).toEqual(['owner', 'postgres'])
    await next.close()
  })
})

async function findServers(dataDir: string): Promise<number[]> {
  const { stdout } = await run('pgrep', ['-f', `"dataDir":"${dataDir}"`])
  return stdout.split('\n').filter(Boolean).map(Number)
}

describe('a folder that cannot be used', () => {
  it('is refused when it is a file, or below one', async () => {
    const file = join(await createTemporaryDirectory(), 'file')
    await writeFile(file, '')
    await expect(start(file)).rejects.toThrow(/is a file: move that away, or set DATA_DIR/)
    await expect(start(join(file, 'data'))).rejects.toThrow(/is a file: move that away, or set DATA_DIR/)
  })

  it('is refused when something else is where the database would be', async () => {
    const dataDir = await createTemporaryDirectory()
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'notes.txt'), '')
    await expect(start(dataDir)).rejects.toThrow(/holds something that is not a PostgreSQL database: move it away/)
    await rm(join(dataDir, 'postgres', 'notes.txt'))
  })
})

describe("PostgreSQL's programs", () => {
  it('are missed with a word about DATABASE_URL on a platform that there are none for', () => {
    expect(() => findPackage('sunos-x64')).toThrow(/no PostgreSQL for sunos-x64: set DATABASE_URL/)
    const another = process.platform === 'darwin' ? 'linux-x64' : 'darwin-arm64'
    expect(() => findPackage(another)).toThrow(/is not installed.*DATABASE_URL/)
  })

  it('get the links that the install script makes, when it was left out', async () => {
    const folder = await createTemporaryDirectory('programs')
    const packageFolder = await copyDirectory(findPackage(), join(folder, 'package'))
    for (const name of await readdir(join(packageFolder, 'native', 'lib'))) {
      if (/\.so(\.\d+)?$/.test(name) && /^lib(ecpg|icu|pg|pq)/.test(name))
        await rm(join(packageFolder, 'native', 'lib', name))
    }
    const server = await startEmbeddedPostgres({
      dataDir: join(folder, 'data'),
      dataDirIsDefault: false,
      log: createRecordingLog(),
      packageDirectory: packageFolder,
    })
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.close()
  })
})
