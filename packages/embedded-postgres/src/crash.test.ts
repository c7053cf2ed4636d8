import { spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  copyDirectory,
  createRecordingLog,
  createStoppedDatabase,
  queryUntilAvailable,
  readPostmasterPid,
  startPostgresProcess,
} from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { waitUntil } from '@caseward/test-support/wait-until'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

let template: string
beforeAll(async () => (template = await createStoppedDatabase()))
afterAll(() => rm(template, { recursive: true }))

const newFolder = async () => copyDirectory(join(template, 'data'), join(await createTemporaryDirectory(), 'data'))

async function start(dataDir: string) {
  const log = createRecordingLog()
  return { log, ...(await startEmbeddedPostgres({ dataDir, dataDirIsDefault: false, log })) }
}

it('goes on with everything committed after Caseward was killed and PostgreSQL was left running', async () => {
  const dataDir = await newFolder()
  const killed = await startPostgresProcess({ dataDir })
  await query(killed.connection, 'create table kept as select generate_series(1, 10000) as n')
  const left = await readPostmasterPid(killed.clusterDirectory)
  await killed.kill('SIGKILL')
  expect(await findProcessesIn(dataDir)).toContain(left)

  const begin = performance.now()
  const server = await start(dataDir)
  expect(performance.now() - begin).toBeLessThan(5000)
  expect(await findProcessesIn(dataDir)).not.toContain(left)
  expect(await query(server.connection, 'select count(*)::int as rows from kept')).toEqual([{ rows: 10_000 }])
  expect(server.log.lines).toContain('warn: Stopping the PostgreSQL that an earlier Caseward left running')
  await server.close()
})

it('does so while the PostgreSQL that was left is still at work for the one that is gone', async () => {
  const dataDir = await newFolder()
  const killed = await startPostgresProcess({ dataDir })
  const working = query(killed.connection, 'select pg_sleep(60)').catch((error: Error) => error.message)
  await sleep(100)
  await killed.kill('SIGKILL')

  const server = await start(dataDir)
  expect(await working).toMatch(/terminat/)
  expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.close()
})

it('recovers after both were killed', async () => {
  const dataDir = await newFolder()
  const killed = await startPostgresProcess({ dataDir })
  await query(killed.connection, 'create table kept as select generate_series(1, 10000) as n')
  const left = await readPostmasterPid(killed.clusterDirectory)
  await killed.kill('SIGKILL')
  process.kill(left, 'SIGKILL')

  const server = await start(dataDir)
  expect(await query(server.connection, 'select count(*)::int as rows from kept')).toEqual([{ rows: 10_000 }])
  await server.close()
})

it('is not misled when the number of a PostgreSQL that is gone belongs to another program by now', async () => {
  const dataDir = await newFolder()
  const killed = await startPostgresProcess({ dataDir })
  const file = join(killed.clusterDirectory, 'postmaster.pid')
  const left = await readPostmasterPid(killed.clusterDirectory)
  await killed.kill('SIGKILL')
  process.kill(left, 'SIGKILL')
  await waitUntil(async () => (await findProcessesIn(dataDir)).length === 0, 'all of PostgreSQL is gone')
  const innocent = spawn('sleep', ['60'], { cwd: '/' })
  await writeFile(file, (await readFile(file, 'utf8')).replace(String(left), String(innocent.pid)))

  const server = await start(dataDir)
  expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.close()
  expect(innocent.exitCode ?? innocent.signalCode).toBe(null)
  innocent.kill()
})

it('is not misled either by the PostgreSQL of another folder, but asks', async () => {
  const [one, other] = [await newFolder(), await newFolder()]
  const running = await start(other)
  const file = join(one, 'postgres', 'postmaster.pid')
  const pid = await readPostmasterPid(running.clusterDirectory)
  await writeFile(file, `${pid}\n${one}/postgres\n`)
  await expect(start(one)).rejects.toThrow(`process ${pid} serves this database`)
  expect(await query(running.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await running.close()
})

it('starts PostgreSQL again when it dies underneath', async () => {
  const dataDir = await newFolder()
  const server = await start(dataDir)
  await query(server.connection, 'create table kept as select 42 as answer')
  const first = await readPostmasterPid(server.clusterDirectory)
  process.kill(first, 'SIGKILL')

  expect(await queryUntilAvailable(server.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
  expect(await readPostmasterPid(server.clusterDirectory)).not.toBe(first)
  expect(server.log.lines).toContain('error: PostgreSQL ended by SIGKILL; starting it again')
  await server.close()
})

it('leaves nothing when it is closed just while PostgreSQL is being started again', async () => {
  const dataDir = await newFolder()
  for (const waitMs of [0, 90, 110, 130]) {
    const server = await start(dataDir)
    process.kill(await readPostmasterPid(server.clusterDirectory), 'SIGKILL')
    await sleep(waitMs)
    await server.close()
    expect(await findProcessesIn(dataDir)).toEqual([])
  }
})

it('keeps PostgreSQL through Ctrl-C until Caseward itself lets go of it', async () => {
  const dataDir = await newFolder()
  const server = await startPostgresProcess({ dataDir })
  server.pressCtrlC()
  await sleep(300)
  expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.kill('SIGTERM')
  expect(await findProcessesIn(dataDir)).toEqual([])
})

it('leaves nothing after SIGTERM, with connections open', async () => {
  const dataDir = await newFolder()
  const server = await startPostgresProcess({ dataDir })
  const working = query(server.connection, 'select pg_sleep(60)').catch((error: Error) => error.message)
  await sleep(100)
  await server.kill('SIGTERM')
  expect(await working).toMatch(/terminating connection/)
  expect(await findProcessesIn(dataDir)).toEqual([])
})

it('takes PostgreSQL along when the process ends without closing', async () => {
  const dataDir = await newFolder()
  const server = await startPostgresProcess({ dataDir })
  await server.kill('SIGUSR2')
  await expect.poll(() => findProcessesIn(dataDir), { timeout: 10_000 }).toEqual([])
})
