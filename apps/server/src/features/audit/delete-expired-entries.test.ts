import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { startServerForTest, type TestServer } from '@caseward/test-support/test-server'
import { createAuditRetentionJob } from './delete-expired-entries.ts'

const insertEntries = ({ db }: TestServer, count: number, ageDays: number) =>
  sql`
    insert into audit_log (id, at, action, actor_kind, actor_name, subject_kind, subject_name)
    select uuid_v7_in_batch(moment, n), moment, 'user.create', 'system', 'System', 'user', ${`${ageDays} days`}
    from generate_series(1, ${count}::int) n, (select now() - ${ageDays} * interval '1 day' as moment) m`.execute(db)

const countByAge = async ({ db }: TestServer) => {
  const { rows } = await sql<{ name: string; count: number }>`
    select subject_name as name, count(*) as count from audit_log group by 1 order by 1`.execute(db)
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

describe('the job that deletes expired entries of the audit log', () => {
  it('deletes entries that are older than the retention time, more than one batch of them, and no others', async () => {
    const server = await startServerForTest()
    await insertEntries(server, 2500, 401)
    await insertEntries(server, 3, 399)
    await createAuditRetentionJob({ auditRetentionDays: 400 }).run(server.db, new AbortController().signal)
    expect(await countByAge(server)).toEqual({ '399 days': 3 })
  })

  it('stops between two batches when the service stops', async () => {
    const server = await startServerForTest()
    await insertEntries(server, 10, 401)
    const job = createAuditRetentionJob({ auditRetentionDays: 400 })
    await expect(job.run(server.db, AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping')
    expect(await countByAge(server)).toEqual({ '401 days': 10 })
  })

  it('is run by the job worker, with AUDIT_RETENTION_DAYS', async () => {
    const server = await startServerForTest({ auditRetentionDays: 30 })
    await insertEntries(server, 5, 31)
    await insertEntries(server, 5, 29)
    await sql`select graphile_worker.add_job('delete_expired_audit_entries')`.execute(server.db)
    await server.startWorker()
    await expect.poll(() => countByAge(server)).toEqual({ '29 days': 5 })
  })

  it('is scheduled once an hour', async () => {
    const server = await startServerForTest()
    await server.startWorker()
    const known = sql<{ identifier: string }>`
      select identifier from graphile_worker._private_known_crontabs where identifier = 'delete_expired_audit_entries'`
    await expect
      .poll(async () => (await known.execute(server.db)).rows)
      .toEqual([{ identifier: 'delete_expired_audit_entries' }])
    expect(createAuditRetentionJob({ auditRetentionDays: 400 }).schedule).toBe('23 * * * *')
  })
})
