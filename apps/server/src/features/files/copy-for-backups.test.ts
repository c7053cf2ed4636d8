import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { makeProject, makeRun } from '@caseward/test-support/factories'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { startServerForTest } from '@caseward/test-support/test-server'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'

import { readConfig } from '../../config.ts'
import { createBackupJob } from '../../platform/backup/scheduled-backups.ts'
import { toFileName } from '../../platform/files/file-store.ts'
import { openCopies } from './back-up-files.ts'
import { createCopyFiles } from './copy-for-backups.ts'
import type { CompleteAttachment } from './sample-files.test.helper.ts'

const { signal } = new AbortController()
const HOUR_MS = 60 * 60 * 1000

async function makeBackups() {
  const [filesDir, backupDir] = [await createTemporaryDirectory(), await createTemporaryDirectory()]
  const server = await startServerForTest({ filesDir })
  const project = await makeProject(server)
  const run = await makeRun(server, project)
  const { token } = project.admin
  const attach = async (text: string) => {
    const path = `/v1/runs/${run.id}/attachments?name=a.txt`
    const { body } = await server.request<{ data: CompleteAttachment }>('POST', path, {
      token,
      body: Buffer.from(text),
    })
    return { id: body.data.id, name: toFileName(project.id, body.data.file_id) }
  }
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const copyFiles = createCopyFiles({ ...readConfig({}), filesDir }, log)
  const job = createBackupJob({ backupDir, backupEvery: '1d', backupKeep: 2, copyFiles, log })
  const copies = openCopies(join(backupDir, 'files'))
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const backUp = async () => {
    lines.length = 0
    vi.setSystemTime(Date.now() + 2 * HOUR_MS)
    await job.run(server.db, signal)
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  }
  return { server, project, token, attach, filesDir, copies, backUp }
}

it('scheduled backups with files copy each once, and keep the copy as long as a backup knows the file', async () => {
  const { server, project, token, attach, copies, backUp } = await makeBackups()
  expect(await backUp()).toMatchObject([{ msg: 'wrote a backup' }, { msg: 'copied attached files', copied: 0 }])
  const [first, second] = [await attach('first'), await attach('second')]
  expect(await backUp()).toMatchObject([{}, { copied: 2, removed: 0 }])
  expect(await copies.list('')).toEqual([first.name, second.name].toSorted())
  expect(await copies.readMarker()).not.toBeNull()

  const path = `/v1/projects/${project.id}/attachments/${first.id}`
  expect((await server.request('DELETE', path, { token })).status).toBe(204)
  // As the next sweep does.
  await server.db.deleteFrom('files').where('id', '=', first.name.slice(-36)).execute()
  expect(await backUp()).toMatchObject([{}, { copied: 0, removed: 0 }])
  expect(await readFile(join(copies.description, 'deleted.tsv'), 'utf8')).toMatch(`${first.name}\t20`)

  // The third backup is kept beside the fourth. It may know the file, unlike the fourth.
  expect(await backUp()).toMatchObject([{}, { removed: 0 }])
  expect(await copies.list('')).toHaveLength(2)
  expect(await backUp()).toMatchObject([{}, { removed: 1 }])
  expect(await copies.list('')).toEqual([second.name])
  expect(await readFile(join(copies.description, 'deleted.tsv'), 'utf8')).toBe('')
})

it('scheduled backups name files that are missing, and copy the others', async () => {
  const { attach, filesDir, copies, backUp } = await makeBackups()
  const [first, second] = [await attach('first'), await attach('second')]
  await openCopies(filesDir).remove([first.name])
  expect(await backUp()).toMatchObject([{}, { level: 40, missing: 1 }, { msg: 'copied attached files', copied: 1 }])
  expect(await copies.list('')).toEqual([second.name])
})
