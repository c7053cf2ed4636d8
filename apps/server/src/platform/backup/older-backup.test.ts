import { join } from 'node:path'

import { createTarget, openClient } from '@caseward/test-support/backup-scenario'
import { readDigests } from '@caseward/test-support/table-digests'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { describe, expect, it } from 'vitest'

import { connect } from '../database/connect.ts'
import { hasPendingMigrations, listMigrations, migrateInTransaction } from '../database/migrate.ts'
import { migrateJobQueue } from '../jobs/worker.ts'
import { requireRestorableBackup, restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

describe('a backup of an older version', () => {
  it('is restored and migrated to this version, with data that a migration changes', async () => {
    const older = await createTarget()
    const client = await openClient(older)
    await migrateInTransaction(
      client,
      (await listMigrations()).filter((name) => name < '0018'),
    )
    await client.query(
      `insert into users (id, email, name) values ('00000000-0000-7000-8000-000000000001', 'ada@example.test', 'Ada')`,
    )
    await migrateJobQueue(older)
    const file = join(await createTemporaryDirectory(), 'backup.gz')
    await writeBackup(client, file)
    expect((await requireRestorableBackup(file)).header.migrations.at(-1)).toBe('0014_mail_limits')

    const target = await createTarget()
    await restoreBackup(target, file)
    const { db, close } = connect(target, { poolSize: 1, onError() {} })
    expect(await hasPendingMigrations(db)).toBe(false)
    // Migration 0018 makes the earliest user the first instance administrator.
    expect(await db.selectFrom('users').select(['email', 'is_instance_admin']).execute()).toEqual([
      { email: 'ada@example.test', is_instance_admin: true },
    ])
    await close()
    expect((await readDigests(target))['"public"."kysely_migration"']).toMatch(
      `${(await listMigrations()).length} rows`,
    )
  })
})
