import { spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  copyDirectory,
  createStoppedDatabase,
  readPostmasterPid,
  startExamplePostgres,
  startPostgresProcess,
} from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { waitUntil } from '@caseward/test-support/wait-until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let template: string
beforeAll(async () => (template = await createStoppedDatabase()))
afterAll(() => rm(template, { recursive: true }))

const copyTemplate = async () =>
  await copyDirectory(join(template, 'data'), join(await createTemporaryDirectory(), 'data'))

describe('startEmbeddedPostgres with the pid of a PostgreSQL that has ended', () => {
  it('starts, and leaves the other program alone, when the pid of the dead PostgreSQL was reused', async () => {
    const dataDir = await copyTemplate()
    const killed = await startPostgresProcess({ dataDir })
    const file = join(killed.clusterDirectory, 'postmaster.pid')
    const orphan = await readPostmasterPid(killed.clusterDirectory)
    await killed.kill('SIGKILL')
    process.kill(orphan, 'SIGKILL')
    await waitUntil(async () => (await findProcessesIn(dataDir)).length === 0, 'all processes of PostgreSQL have ended')
    const otherProgram = spawn('sleep', ['60'], { cwd: '/' })
    await writeFile(file, (await readFile(file, 'utf8')).replace(String(orphan), String(otherProgram.pid)))

    const server = await startExamplePostgres({ dataDir })
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.close()
    expect(otherProgram.exitCode ?? otherProgram.signalCode).toBe(null)
    otherProgram.kill()
  })

  it('fails, and leaves the other PostgreSQL running, when the pid belongs to that of another directory', async () => {
    const [dataDir, otherDataDir] = [await copyTemplate(), await copyTemplate()]
    const running = await startExamplePostgres({ dataDir: otherDataDir })
    const file = join(dataDir, 'postgres', 'postmaster.pid')
    const pid = await readPostmasterPid(running.clusterDirectory)
    await writeFile(file, `${pid}\n${dataDir}/postgres\n`)
    await expect(startExamplePostgres({ dataDir })).rejects.toThrow(`process ${pid} serves this database`)
    expect(await query(running.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await running.close()
  })
})

describe('an embedded PostgreSQL that dies', () => {
  it('leaves no process when it is closed during a restart', async () => {
    const dataDir = await copyTemplate()
    for (const waitMs of [0, 90, 110, 130]) {
      const server = await startExamplePostgres({ dataDir })
      process.kill(await readPostmasterPid(server.clusterDirectory), 'SIGKILL')
      await sleep(waitMs)
      await server.close()
      expect(await findProcessesIn(dataDir)).toEqual([])
    }
  })
})
