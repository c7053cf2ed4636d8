import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import type { Attachment } from '@caseward/contract/attachment-schemas'
import { createTarget } from '@caseward/test-support/backup-scenario'
import { ADMIN_TOKEN, getDatabaseUrl } from '@caseward/test-support/caseward-process'
import { expect, it } from 'vitest'

import { runCommand, runCommandProcess } from './run-server-command.ts'
import { startWithRun } from './start-with-run.ts'

const FILES_BEFORE = 300
const CLIENTS = 3

it(
  'a backup with files, written while files are attached and deleted, restores every file that it knows',
  { timeout: 300_000 },
  async () => {
    const { directory, settings, service, projectId, runId } = await startWithRun()
    const attached: string[] = []
    const attach = async () => {
      const response = await fetch(`${service.url}/v1/runs/${runId}/attachments?name=a.bin`, {
        method: 'POST',
        body: new Uint8Array(randomBytes(20_000)),
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/octet-stream' },
      })
      expect(response.status).toBe(201)
      attached.push(((await response.json()) as { data: Attachment }).data.id)
    }
    while (attached.length < FILES_BEFORE) await Promise.all(Array.from({ length: CLIENTS }, attach))

    const done = new AbortController()
    let deleted = 0
    const load = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let round = 0; !done.signal.aborted; round += 1) {
        await attach()
        if ((round + client) % 2 === 0) continue
        const { status } = await service.request('DELETE', `/v1/projects/${projectId}/attachments/${attached.shift()}`)
        expect(status).toBe(204)
        deleted += 1
      }
    })
    const [file, files] = [join(directory, 'backup.gz'), join(directory, 'copies')]
    const backup = await runCommandProcess(['admin', 'backup', file, '--files', files], settings)
    done.abort()
    await Promise.all(load)
    expect(backup).toMatchObject({ exitCode: 0, stderr: '' })
    expect(deleted).toBeGreaterThan(5)
    service.signal('SIGTERM')
    await service.ended

    const target = {
      ...settings,
      DATABASE_URL: getDatabaseUrl(await createTarget()),
      FILES_DIR: join(directory, 'restored'),
    }
    expect(await runCommand(['admin', 'restore', file, '--files', files], target)).toMatchObject({
      exitCode: 0,
      stderr: '',
    })
    const verified = await runCommand(['admin', 'verify-files', '--digest'], target)
    expect(verified.exitCode).toBe(0)
    expect(Number(/^(\d+) files /.exec(verified.stdout)?.[1])).toBeGreaterThanOrEqual(FILES_BEFORE - deleted)
    expect(verified.stdout).toContain(': 0 missing, 0 damaged')
  },
)
