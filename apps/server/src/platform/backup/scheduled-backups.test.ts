import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { createTarget, openClient } from '@caseward/test-support/backup-scenario'
import { readDigests } from '@caseward/test-support/table-digests'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { startServerForTest, type TestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'

import { getPool } from '../database/connect.ts'
import { restoreBackup } from './restore-backup.ts'
import { createBackupJob } from './scheduled-backups.ts'

const neverStopped = new AbortController().signal
const FILE_NAME = /^caseward-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup\.gz$/

async function makeJob(backupKeep = 7) {
  const server = await startServerForTest()
  const backupDir = join(await createTemporaryDirectory(), 'backups', 'caseward')
  const log = pino({ level: 'silent' })
  return { server, backupDir, job: createBackupJob({ backupDir, backupEvery: '1d', backupKeep, copyFiles: null, log }) }
}

describe('the job that makes backups', () => {
  it('creates the directory and a backup that can be restored', async () => {
    const { server, backupDir, job } = await makeJob()
    await job.run(server.db, neverStopped)
    const [name = '', ...others] = await readdir(backupDir)
    expect([name, others]).toEqual([expect.stringMatching(FILE_NAME), []])
    const target = await createTarget()
    await restoreBackup(target, join(backupDir, name))
    expect(await readDigests(target)).toEqual(await readDigests(getPool(server.db).options))
  })

  it('keeps the newest backups, other files, and what another process is writing', async () => {
    const { server, backupDir, job } = await makeJob(2)
    await mkdir(backupDir, { recursive: true })
    const days = ['01', '02', '03'].map((day) => `caseward-2026-01-${day}T00-00-00Z.backup.gz`)
    const incomplete = `${days[0]}.incomplete-`
    const others = ['before-update.backup.gz', 'notes.txt', `${incomplete}new`]
    for (const name of [...days, ...others, `${incomplete}old`]) await writeFile(join(backupDir, name), '')
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000)
    await utimes(join(backupDir, `${incomplete}old`), yesterday, yesterday)
    await job.run(server.db, neverStopped)
    const names = await readdir(backupDir)
    expect(names).toEqual(expect.arrayContaining([...others, days[2]]))
    expect(names).toHaveLength(others.length + 2)
  })

  it('does nothing while another server makes a backup', async () => {
    const { server, backupDir, job } = await makeJob()
    const otherServer = await openClient(getPool(server.db).options)
    await otherServer.query('select pg_advisory_lock(4812079)')
    await job.run(server.db, neverStopped)
    await expect(readdir(backupDir)).rejects.toThrow('ENOENT')
  })

  it('succeeds when the directory can be written again', async () => {
    const { server, backupDir, job } = await makeJob()
    const parent = dirname(backupDir)
    await writeFile(parent, '')
    await expect(job.run(server.db, neverStopped)).rejects.toThrow(/^Cannot write .*: its directory is a file\.$/)
    await rm(parent)
    await job.run(server.db, neverStopped)
    expect(await readdir(backupDir)).toEqual([expect.stringMatching(FILE_NAME)])
  })

  it('fails, keeps the older backups and leaves no file when the service stops', async () => {
    const { server, backupDir, job } = await makeJob(1)
    await mkdir(backupDir, { recursive: true })
    const older = 'caseward-2026-01-01T00-00-00Z.backup.gz'
    await writeFile(join(backupDir, older), '')
    await expect(job.run(server.db, AbortSignal.abort())).rejects.toThrow('aborted')
    expect(await readdir(backupDir)).toEqual([older])
  })
})

describe('BACKUP_DIR', () => {
  const selectCrontabs = async ({ db }: TestServer) => {
    const known = sql<{ identifier: string }>`select identifier from graphile_worker._private_known_crontabs order by 1`
    return (await known.execute(db)).rows.map(({ identifier }) => identifier)
  }

  it('schedules the job, which one of two servers runs', async () => {
    const backupDir = await createTemporaryDirectory()
    const server = await startServerForTest({ backupDir })
    const workers = await Promise.all([server.startWorker(), server.startWorker()])
    onTestFinished(async () => void (await Promise.all(workers.map((worker) => worker.stop()))))
    await expect.poll(() => selectCrontabs(server)).toContain('back_up_database')
    await sql`select graphile_worker.add_job('back_up_database')`.execute(server.db)
    const selectJobs = async () => (await sql`select from graphile_worker.jobs`.execute(server.db)).rows.length
    await expect.poll(selectJobs).toBe(0)
    expect(await readdir(backupDir)).toEqual([expect.stringMatching(FILE_NAME)])
    expect(server.logged.some((line) => line.includes('wrote a backup'))).toBe(true)
  })

  it('adds the time of the newest backup to the metrics, 0 before the first one', async () => {
    const backupDir = await createTemporaryDirectory()
    const { url } = await startServerForTest({ backupDir })
    const readMetric = async () =>
      /^caseward_newest_backup_timestamp_seconds (.*)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]
    expect(await readMetric()).toBe('0')
    for (const time of ['2026-11-02T00-00-00', '2026-11-03T06-30-00']) {
      await writeFile(join(backupDir, `caseward-${time}Z.backup.gz`), '')
    }
    expect(await readMetric()).toBe(String(Date.parse('2026-11-03T06:30:00Z') / 1000))
  })

  it('logs why a backup could not be made', async () => {
    const file = join(await createTemporaryDirectory(), 'file')
    await writeFile(file, '')
    const server = await startServerForTest({ backupDir: join(file, 'backups') })
    await server.startWorker()
    await sql`select graphile_worker.add_job('back_up_database')`.execute(server.db)
    const hasReason = () => server.logged.some((line) => line.includes('its directory is a file'))
    await expect.poll(hasReason).toBe(true)
  })
})
