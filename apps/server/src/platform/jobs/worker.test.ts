import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { connect } from '../database/connect.ts'
import type { Mail } from '../mail/mailer.ts'
import { enqueueMail, type MailDefinition } from './mail-jobs.ts'
import { enqueueJob } from './queued-jobs.ts'
import { migrateJobQueue, startWorker } from './worker.ts'

const log = pino({ level: 'silent' })

/** A mail whose id is the address it is sent to. */
const testMail: MailDefinition = {
  kind: 'test',
  build: async (_db, id) => ({ to: id, subject: 'Test', text: '', html: '' }),
}

/** Clones a database and starts workers on it that send mails through `send`. */
async function startWorkers(count: number, send: (mail: Mail) => Promise<void>) {
  const { connection, drop } = await cloneDatabase()
  const { db, close } = connect(connection, { poolSize: 5, onError: () => {} })
  const deps = {
    db,
    mailer: { send },
    mails: [testMail],
    queuedJobs: [],
    scheduledJobs: [],
    getPublicUrl: () => 'http://localhost',
    log,
  }
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker(connection, deps)))
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    await close()
    await drop()
  })
  const selectJobs = async () => (await sql`select from graphile_worker.jobs`.execute(db)).rows
  return { db, deps, connection, selectJobs }
}

describe('job worker', () => {
  it('runs each job once when several servers share the database', async () => {
    const sent: string[] = []
    const { db, selectJobs } = await startWorkers(3, async ({ to }) => void sent.push(to))
    const addresses = Array.from({ length: 50 }, (_, index) => `person${index}@example.org`)
    for (const address of addresses) await enqueueMail(db, testMail, address)
    await expect.poll(() => sent.length).toBeGreaterThanOrEqual(50)
    await expect.poll(selectJobs).toEqual([])
    expect(sent.toSorted()).toEqual(addresses.toSorted())
  })

  it('runs the jobs of committed transactions and none of a transaction that is rolled back', async () => {
    const sent: string[] = []
    const { db } = await startWorkers(1, async ({ to }) => void sent.push(to))
    const rolledBack = db.transaction().execute(async (tx) => {
      await enqueueMail(tx, testMail, 'rolled-back@example.org')
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    await db.transaction().execute(async (tx) => await enqueueMail(tx, testMail, 'committed@example.org'))
    await expect.poll(() => sent).toEqual(['committed@example.org'])
  })

  it('runs the job of a server that died', async () => {
    const sent: string[] = []
    const { db, deps, connection } = await startWorkers(0, async ({ to }) => void sent.push(to))
    await enqueueMail(db, testMail, 'late@example.org')
    await sql`
      update graphile_worker._private_jobs
      set locked_by = 'dead', locked_at = now() - interval '6 minutes', attempts = 1`.execute(db)
    const worker = await startWorker(connection, deps)
    await expect.poll(() => sent).toEqual(['late@example.org'])
    await worker.stop()
  })

  it('finishes running jobs before it stops', async () => {
    const sent: string[] = []
    let hasStarted = false
    const sendSlowly = async ({ to }: Mail) => {
      hasStarted = true
      await new Promise((resolve) => setTimeout(resolve, 500))
      sent.push(to)
    }
    const { db, deps, connection, selectJobs } = await startWorkers(0, sendSlowly)
    const worker = await startWorker(connection, deps)
    await enqueueMail(db, testMail, 'slow@example.org')
    await expect.poll(() => hasStarted).toBe(true)
    await worker.stop()
    expect(sent).toEqual(['slow@example.org'])
    expect(await selectJobs()).toEqual([])
  })
})

describe('enqueueJob with a delay', () => {
  const job = { name: 'count', run: async () => {} }

  it('lets one job wait for an id, which is not moved', async () => {
    const { db } = await startWorkers(0, async () => {})
    for (const delayMs of [60_000, 90_000, 30_000]) await enqueueJob(db, job, 'a', { delayMs })
    const { rows } = await sql<{ revision: number; seconds: number }>`
      select revision, round(extract(epoch from run_at - created_at))::int as seconds
      from graphile_worker.jobs where key = 'count:a'`.execute(db)
    expect(rows).toEqual([{ revision: 0, seconds: 60 }])
  })

  it('keeps the job that waits from workers until the transaction ends', async () => {
    const { db } = await startWorkers(0, async () => {})
    await enqueueJob(db, job, 'a', { delayMs: 60_000 })
    // As a worker takes jobs.
    const take = () =>
      sql`select from graphile_worker._private_jobs where key = 'count:a' for update skip locked`.execute(db)
    await db.transaction().execute(async (tx) => {
      await enqueueJob(tx, job, 'a', { delayMs: 60_000 })
      expect((await take()).rows).toHaveLength(0)
    })
    expect((await take()).rows).toHaveLength(1)
  })

  it('adds a job beside one that runs, and one for a job that failed', async () => {
    const { db } = await startWorkers(0, async () => {})
    const select = async () =>
      (
        await sql`
          select key, attempts, locked_by, run_at > now() as waits from graphile_worker.jobs order by id`.execute(db)
      ).rows
    await enqueueJob(db, job, 'a', { delayMs: 60_000 })
    await sql`
      update graphile_worker._private_jobs set locked_by = 'worker', locked_at = now(), attempts = 1`.execute(db)
    await enqueueJob(db, job, 'a', { delayMs: 60_000 })
    expect(await select()).toEqual([
      { key: null, attempts: 6, locked_by: 'worker', waits: true },
      { key: 'count:a', attempts: 0, locked_by: null, waits: true },
    ])
    await sql`update graphile_worker._private_jobs set attempts = 3, run_at = now() where key is not null`.execute(db)
    await enqueueJob(db, job, 'a', { delayMs: 60_000 })
    expect((await select())[1]).toEqual({ key: 'count:a', attempts: 0, locked_by: null, waits: true })
  })
})

describe('migrateJobQueue', () => {
  it('creates the schema once when several servers start at the same time', async () => {
    const { connection, drop } = await cloneDatabase()
    onTestFinished(drop)
    const { db, close } = connect(connection, { poolSize: 1, onError: () => {} })
    await sql`drop schema graphile_worker cascade`.execute(db)
    await Promise.all(Array.from({ length: 4 }, () => migrateJobQueue(connection)))
    const { rows } = await sql<{
      count: number
    }>`select count(*)::int as count from graphile_worker.migrations`.execute(db)
    expect(rows[0]?.count).toBeGreaterThan(10)
    await close()
  })
})
