import { join } from 'node:path'

import type { AuditEntry } from '@caseward/contract/audit'
import { getDatabaseUrl } from '@caseward/test-support/caseward-process'
import { createEmptyDatabase } from '@caseward/test-support/database'
import { startService } from '@caseward/test-support/service'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { describe, expect, it, onTestFinished } from 'vitest'

import { connect } from '../../src/platform/database/connect.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { runCommand, runCommandProcess } from './run-server-command.ts'

const getLink = (text: string) => /^http:\S+\/reset\/\S+$/m.exec(text)?.[0] ?? ''

describe('admin commands beside a service with the embedded database', () => {
  it('work while it runs and while it is stopped, and leave entries in the audit log', async () => {
    const directory = await createTemporaryDirectory()
    const settings = { DATA_DIR: join(directory, 'data'), PUBLIC_URL: 'http://tests.example.test' }
    const first = await startService({ ...settings, ADMIN_EMAIL: 'ada@example.test' })
    const listed = await runCommandProcess(['admin', 'list'], settings)
    expect(listed).toMatchObject({ exitCode: 0, stderr: '' })
    expect(listed.stdout).toBe('ada@example.test  ada  (has not signed in)\n')

    const reset = await runCommand(['admin', 'reset-password', 'ADA@example.test'], settings)
    expect([reset.exitCode, reset.stderr]).toEqual([0, ''])
    const link = new URL(getLink(reset.stdout))
    expect(link.origin).toBe('http://tests.example.test')
    const path = `/v1/password-resets/${link.pathname.split('/').at(-1)}`
    expect((await first.request('POST', path, { password: 'another long password' })).status).toBe(200)
    expect((await first.request('POST', path, { password: 'a third long password' })).status).toBe(410)
    const log = (await first.request('GET', '/v1/admin/audit-log?action=user.create_reset_link')).body as {
      data: AuditEntry[]
    }
    expect(log.data).toMatchObject([{ actor: { kind: 'system' }, subject: { email: 'ada@example.test' } }])
    first.signal('SIGTERM')
    expect(await first.ended).toBe(0)

    const offline = await runCommand(['admin', 'list'], settings)
    expect(offline.exitCode).toBe(0)
    expect(offline.stdout).toMatch(/^ada@example\.test {2}ada {2}\(last signed in \d{4}-\d\d-\d\d \d\d:\d\d UTC\)\n$/)
    expect(await findProcessesIn(directory)).toEqual([])
  })
})

describe('admin commands with DATABASE_URL', () => {
  it('distribute fails with exit code 1 and says what to install when the extension is missing', async () => {
    const plain = await createEmptyDatabase()
    onTestFinished(plain.drop)
    const { db, close } = connect(plain.connection, { poolSize: 2, onError: console.error })
    await migrate(db)
    await close()
    const { exitCode, stdout, stderr } = await runCommand(['admin', 'distribute', '--yes'], {
      DATABASE_URL: getDatabaseUrl(plain.connection),
    })
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toContain('The extension "citus" is not installed in this database. Run `create extension citus`')
  })
})
