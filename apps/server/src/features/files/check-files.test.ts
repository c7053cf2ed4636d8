import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { makeProject, makeRun } from '@caseward/test-support/factories'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { startServerForTest, type TestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { readConfig } from '../../config.ts'
import { NAMES_PER_PAGE, toFileName } from '../../platform/files/file-store.ts'
import { openFileStore } from '../../platform/files/open-file-store.ts'
import { createCheckJob } from './check-files.ts'
import type { CompleteAttachment } from './sample-files.test.helper.ts'

async function makeFiles() {
  const filesDir = await createTemporaryDirectory()
  const server = await startServerForTest({ filesDir })
  const project = await makeProject(server)
  const run = await makeRun(server, project)
  const attach = async (text: string) => {
    const path = `/v1/runs/${run.id}/attachments?name=a.txt`
    const options = { token: project.admin.token, body: Buffer.from(text) }
    return (await server.request<{ data: CompleteAttachment }>('POST', path, options)).body.data
  }
  const files = [await attach('first'), await attach('second'), await attach('third')]
  const names = files.map(({ file_id: id }) => toFileName(project.id, id))
  const lines: string[] = []
  const note =
    (level: string) =>
    (...args: unknown[]) =>
      void lines.push(`${level} ${JSON.stringify(args)}`)
  const log = { info: note('info'), warn: note('warn'), error: note('error') }
  const settings = { ...readConfig({}), filesDir }
  const check = async () => {
    lines.length = 0
    await createCheckJob(settings, log).run(server.db, new AbortController().signal)
    return lines
  }
  return { server, project, filesDir, settings, files, names, check }
}

const selectLost = async ({ db }: TestServer) =>
  (await sql<{ id: string }>`select id from files where is_lost order by id`.execute(db)).rows.map(({ id }) => id)

const readMetrics = async (server: TestServer) => {
  const { body } = await server.request<string>('GET', '/metrics')
  const get = (name: string) => new RegExp(`^caseward_file_store_${name} (\\d+)`, 'm').exec(body)?.[1]
  return { lost: get('lost'), unknown: get('unknown') }
}

describe('the weekly check of files', () => {
  it('marks missing contents as lost until they are there again, counts unknown ones, and deletes nothing', async () => {
    const { server, project, filesDir, settings, files, names, check } = await makeFiles()
    expect(await check()).toEqual([expect.stringMatching(/^info .*"missing":0,"unknown":0/)])
    const [name = ''] = names
    await rename(join(filesDir, name), join(filesDir, 'aside'))
    const store = await openFileStore(settings)
    const unknown = toFileName(project.id, '019aa5c0-2222-7b5d-9a6f-3a1f9d4a6b13')
    async function* text() {
      yield Buffer.from('of a newer state of the database')
    }
    await store.write(unknown, text(), 100)

    const lines = await check()
    expect(lines).toEqual([expect.stringMatching(/^error .*"files":3,"missing":1,"unknown":1/)])
    expect(lines[0]).toContain(name)
    expect(await selectLost(server)).toEqual([files[0]?.file_id])
    expect(await readMetrics(server)).toEqual({ lost: '1', unknown: '1' })
    const list = await server.request<{ data: { state: string }[] }>(
      'GET',
      files[0]?.url.replace(/\/content.*/, '/content') ?? '',
      { token: project.admin.token },
    )
    expect(list.status).toBe(503)

    await rename(join(filesDir, 'aside'), join(filesDir, name))
    await check()
    expect(await selectLost(server)).toEqual([])
    expect(await store.list('')).toEqual([...names, unknown].toSorted())
  })

  it('loses nothing when the disk of the store is not mounted', async () => {
    const { server, filesDir, check } = await makeFiles()
    await rename(filesDir, `${filesDir}-unmounted`)
    const lines = await check()
    await rename(`${filesDir}-unmounted`, filesDir)
    expect(lines.join()).toContain('could not be compared')
    expect(await selectLost(server)).toEqual([])
  })

  it('finds what is missing among more contents than one page lists', async () => {
    const { server, project, filesDir, check, settings } = await makeFiles()
    const count = NAMES_PER_PAGE + 500
    await sql`
      insert into files (project_id, id, digest, byte_count, media_type, kind)
      select ${project.id}, gen_random_uuid(), sha256(n::text::bytea), 0, 'text/plain', 4
      from generate_series(1, ${count}) n`.execute(server.db)
    const { rows } = await sql<{ id: string }>`select id from files order by right(id::text, 2), id`.execute(server.db)
    const store = await openFileStore(settings)
    const names = new Set(await store.list(''))
    const { mkdir, writeFile } = await import('node:fs/promises')
    for (let folder = 0; folder < 256; folder += 1) {
      await mkdir(join(filesDir, project.id, folder.toString(16).padStart(2, '0')), { recursive: true })
    }
    const missing = [rows[0], rows[NAMES_PER_PAGE - 1], rows[NAMES_PER_PAGE], rows[count]].map((row) => row?.id ?? '')
    for (const { id } of rows) {
      const name = toFileName(project.id, id)
      if (!missing.includes(id) && !names.has(name)) await writeFile(join(filesDir, name), '')
      if (missing.includes(id)) await rm(join(filesDir, name), { force: true })
    }
    expect(await check()).toEqual([expect.stringMatching(new RegExp(`^error .*"files":${count + 3},"missing":4,`))])
    expect(await selectLost(server)).toEqual(missing.toSorted())
  })
})
