import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { connect } from '../database/connect.ts'
import type { Mail } from '../mail/mailer.ts'
import { enqueueMail, type MailDefinition } from './mail-jobs.ts'
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
