import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { createTarget } from '@caseward/test-support/backup-scenario'
import { getDatabaseUrl } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { startService } from '@caseward/test-support/service'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'

import { readConfig } from '../../src/config.ts'
import { createSweepJob } from '../../src/features/files/sweep-files.ts'
import { connect } from '../../src/platform/database/connect.ts'
import { runCommand } from './run-server-command.ts'
import { createFileUser } from './use-files.ts'

const CLIENTS = 3
const ROUNDS = 6
const BACKUPS = 2
const TIMEOUT_MS = 180_000

/** A service and its database, and sweeps of its files. */
async function startWithSweeps() {
  const directory = await createTemporaryDirectory()
  const { connection, drop } = await cloneDatabase()
  onTestFinished(drop)
  const settings = {
    DATABASE_URL: getDatabaseUrl(connection),
    FILES_DIR: join(directory, 'files'),
    DATA_DIR: directory,
    RATE_LIMIT: '1000000',
    RATE_LIMIT_FILES: '1000000',
    RATE_LIMIT_OTHER: '1000000',
  }
  const service = await startService(settings)
  const { db, close } = connect(connection, { poolSize: 2, onError: () => {} })
  onTestFinished(close)
  const warnings: unknown[] = []
  const sweep = (fileDeleteDays: number) =>
    createSweepJob(
      { ...readConfig(settings), fileDeleteDays },
      { warn: (...args: unknown[]) => void warnings.push(args) },
    ).run(db, new AbortController().signal)
  return { directory, settings, db, sweep, warnings, user: createFileUser(service) }
}

it(
  'backups, sweeps and deletions during uploads lose no file, in the service and in every restored backup, and leave none',
  { timeout: TIMEOUT_MS },
  async () => {
    const { directory, settings, db, sweep, warnings, user } = await startWithSweeps()
    const copies = join(directory, 'copies')
    const backups = Array.from({ length: BACKUPS }, (_, index) => join(directory, `${index}.gz`))

    /** Uses files while sweeps go on. */
    async function useFiles(fileDeleteDays: number, meanwhile: () => Promise<void>): Promise<void> {
      const done = new AbortController()
      const sweeping = (async () => {
        while (!done.signal.aborted) await sweep(fileDeleteDays)
      })()
      try {
        await Promise.all([...Array.from({ length: CLIENTS }, () => user.work(ROUNDS)), meanwhile()])
      } finally {
        done.abort()
        await sweeping
      }
    }
    // The first backup has files, too.
    await user.work(1)
    await useFiles(7, async () => {
      for (const file of backups) {
        const backup = await runCommand(['admin', 'backup', file, '--files', copies], settings)
        expect(backup).toMatchObject({ exitCode: 0, stderr: '' })
        expect(backup.stdout).not.toContain('missing')
      }
    })
    await useFiles(0, async () => {})
    expect(await user.findLost()).toEqual([])
    const verified = await runCommand(['admin', 'verify-files', '--digest'], settings)
    expect([verified.exitCode, verified.stdout]).toEqual([
      0,
      expect.stringContaining('0 missing, 0 damaged, 0 unknown.'),
    ])

    for (const [index, file] of backups.entries()) {
      const target = {
        ...settings,
        DATABASE_URL: getDatabaseUrl(await createTarget()),
        FILES_DIR: join(directory, `restored-${index}`),
      }
      expect(await runCommand(['admin', 'restore', file, '--files', copies], target)).toMatchObject({ exitCode: 0 })
      const { exitCode, stdout } = await runCommand(['admin', 'verify-files', '--digest'], target)
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('0 missing, 0 damaged, 0 unknown.')])
    }

    for (const id of user.projects) await user.send('DELETE', `/v1/projects/${id}`)
    await sweep(0)
    expect(await readdir(settings.FILES_DIR)).toEqual(expect.arrayContaining(['store.json', 'tmp']))
    expect(await readdir(settings.FILES_DIR)).toHaveLength(2)
    // The service removes the last ones after its responses.
    await expect.poll(() => readdir(join(settings.FILES_DIR, 'tmp')), { timeout: 10_000 }).toEqual([])
    for (const table of ['files', 'file_writes', 'file_uploads', 'file_candidates', 'file_deletions']) {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(db)
      expect([table, rows]).toEqual([table, []])
    }
    expect(warnings).toEqual([])
  },
)
