import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { startTestServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'
import { connect } from '../database/connect.ts'
import type { Mail } from '../mail/mailer.ts'
import { insertInvitation } from '../../features/invitations/invitations.queries.ts'
import { insertProject } from '../../features/projects/projects.queries.ts'
import { enqueueMail } from './enqueue-mail.ts'
import { migrateJobQueue, startWorker } from './worker.ts'

const log = pino({ level: 'silent' })

/** A server's database, with as many workers as asked for that share what they send. */
async function workersThat(send: (mail: Mail) => Promise<void>, count: number) {
  const server = await startTestServer()
  const { connection, drop } = await cloneDatabase()
  const { db, close } = connect(connection, { poolSize: 5, onError: () => {} })
  const deps = { db, mailer: { send }, publicUrl: () => 'http://localhost', log }
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker(connection, deps)))
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    await close()
    await drop()
    await server.close()
  })
  const { id: adminId } = await makeUser({ ...server, db })
  const project = await insertProject(db, { name: 'Web shop', prefix: 'WEB', description: '', adminId })
  const invite = async (email: string) => {
    const invitation = { projectId: project.id, email, role: 'member', invitedBy: adminId } as const
    return (await insertInvitation(db, invitation)).id
  }
  return { db, deps, connection, invite }
}

describe('jobs', () => {
  it('are run once each, however many servers share the database', async () => {
    const sent: string[] = []
    const { db, invite } = await workersThat(async ({ to }) => void sent.push(to), 3)
    const addresses = Array.from({ length: 50 }, (_, index) => `person${index}@example.org`)
    for (const address of addresses) await enqueueMail(db, { kind: 'invitation', id: await invite(address) })
    await expect.poll(() => sent.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(50)
    await expect.poll(() => sql`select from graphile_worker.jobs`.execute(db).then(({ rows }) => rows)).toEqual([])
    expect(sent.toSorted()).toEqual(addresses.toSorted())
  })

  it('are enqueued if, and only if, the transaction is committed', async () => {
    const sent: string[] = []
    const { db, invite } = await workersThat(async ({ to }) => void sent.push(to), 1)
    const [kept, dropped] = [await invite('kept@example.org'), await invite('dropped@example.org')]
    const dropping = db.transaction().execute(async (tx) => {
      await enqueueMail(tx, { kind: 'invitation', id: dropped })
      throw new Error('rolled back')
    })
    await expect(dropping).rejects.toThrow('rolled back')
    await db.transaction().execute(async (tx) => await enqueueMail(tx, { kind: 'invitation', id: kept }))
    await expect.poll(() => sent, { timeout: 10_000 }).toEqual(['kept@example.org'])
  })

  it('of a server that died are taken up by the next', async () => {
    const sent: string[] = []
    const { db, deps, connection, invite } = await workersThat(async ({ to }) => void sent.push(to), 0)
    await enqueueMail(db, { kind: 'invitation', id: await invite('late@example.org') })
    await sql`
      update graphile_worker._private_jobs
      set locked_by = 'dead', locked_at = now() - interval '6 minutes', attempts = 1`.execute(db)
    const worker = await startWorker(connection, deps)
    await expect.poll(() => sent, { timeout: 10_000 }).toEqual(['late@example.org'])
    await worker.stop()
  })

  it('under way are finished before the worker stops', async () => {
    const sent: string[] = []
    let begun = false
    const slow = async ({ to }: Mail) => {
      begun = true
      await new Promise((resolve) => setTimeout(resolve, 500))
      sent.push(to)
    }
    const { db, deps, connection, invite } = await workersThat(slow, 0)
    const worker = await startWorker(connection, deps)
    await enqueueMail(db, { kind: 'invitation', id: await invite('slow@example.org') })
    await expect.poll(() => begun, { timeout: 10_000 }).toBe(true)
    await worker.stop()
    expect(sent).toEqual(['slow@example.org'])
    expect((await sql`select from graphile_worker.jobs`.execute(db)).rows).toEqual([])
  })
})

describe('the schema of the queue', () => {
  it('is made once by servers that start at once on a database without it', async () => {
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
