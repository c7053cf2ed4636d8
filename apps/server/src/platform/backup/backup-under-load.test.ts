import { setTimeout as sleep } from 'node:timers/promises'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import { createTarget, openClient, startServerWithData } from '@caseward/test-support/backup-scenario'
import { computeDigests, readDigests, type TableDigests } from '@caseward/test-support/table-digests'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import type pg from 'pg'
import { describe, expect, it } from 'vitest'

import { restoreBackup } from './restore-backup.ts'
import { withSnapshot } from './session.ts'
import { writeBackup, writeSnapshot } from './write-backup.ts'

describe('a backup that is made while results are uploaded', () => {
  it('is restored with every row of every table as it was at the moment of the backup', async () => {
    const { connection, scenario } = await startServerWithData()
    const loadEnd = new AbortController()
    let uploadCount = 0
    const upload = async (client: number) => {
      while (!loadEnd.signal.aborted) {
        const results = Array.from({ length: 50 }, (_, index) => ({
          test_case_id: `WEB-${index + 1}`,
          status: (uploadCount + index) % 2 === 0 ? 'passed' : 'failed',
          note: `upload ${uploadCount} of client ${client}`,
        }))
        expect((await scenario.upload({ results })).status).toBe(200)
        uploadCount += 1
      }
    }
    const load = Promise.all([upload(1), upload(2)])
    await expect.poll(() => uploadCount).toBeGreaterThan(3)
    const file = join(await createTemporaryDirectory(), 'backup.gz')
    const digests: TableDigests = {}
    const client = await openClient(connection)
    await withSnapshot(client, async (tables) => {
      const countBefore = uploadCount
      Object.assign(digests, await computeDigests(client))
      await sleep(100)
      await writeSnapshot(client, tables, file, {})
      expect(uploadCount).toBeGreaterThan(countBefore)
    })
    loadEnd.abort()
    await load
    const target = await createTarget()
    await restoreBackup(target, file)
    expect(await readDigests(target)).toEqual(digests)
    expect(await readDigests(connection)).not.toEqual(digests)
    expect(digests['"public"."test_results"']).toMatch(/^\d{4,} rows/)
  })
})

describe('restoreBackup and writeBackup', () => {
  it('restore triggers and sequences, so that the service continues with the data', async () => {
    const { connection } = await startServerWithData()
    const file = join(await createTemporaryDirectory(), 'backup.gz')
    await writeBackup(await openClient(connection), file)
    const target = await createTarget()
    await restoreBackup(target, file)
    const restored = await openClient(target)
    const source = await openClient(connection)
    const selectSchema = async (client: pg.Client) => {
      const { rows } = await client.query<{ definition: string }>(
        `select format('%s.%s %s', tgrelid::regclass, tgname, tgenabled) as definition from pg_trigger where not tgisinternal
         union all
         select indexdef from pg_indexes where schemaname in ('public', 'graphile_worker')
         union all
         select format('%s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
         order by 1`,
      )
      return rows.map(({ definition }) => definition)
    }
    expect(await selectSchema(restored)).toEqual(await selectSchema(source))
    const nextJob = async (db: pg.Client) =>
      (await db.query<{ id: string }>(`select id from graphile_worker.add_job('unknown')`)).rows[0]?.id
    expect(await nextJob(restored)).toBe(await nextJob(source))
  })

  it('create a file that only its owner can read', async () => {
    const { connection } = await startServerWithData()
    const file = join(await createTemporaryDirectory(), 'backup.gz')
    await writeBackup(await openClient(connection), file)
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600')
  })
})
