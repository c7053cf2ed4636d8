import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeRun } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'
import { createRetentionJob, describeRetention } from './retention-job.ts'

const server = useTestServer()
const settings = { runRetentionDays: null, testRetentionDays: null, runFileRetentionDays: null }
const { signal } = new AbortController()

interface AttachmentBody {
  data: { name: string; state: string; file_id: string | null; byte_count: number | null }[]
}

/** A run with two files, and a test case with one of them. The run was completed so many days ago. */
async function makeRunWithFiles(days: number) {
  const scenario = await makeUploadScenario(server)
  const { token, project, run } = scenario
  const places = {
    run: `/v1/runs/${run.id}/attachments`,
    result: `/v1/runs/${run.id}/results/WEB-1/attachments`,
    testCase: `/v1/projects/${project.id}/test-cases/WEB-1/attachments`,
  }
  for (const [path, content] of [
    [places.run, 'log'],
    [places.result, 'picture'],
    [places.testCase, 'picture'],
  ] as const) {
    const body = Buffer.from(content)
    expect((await server.request('POST', `${path}?name=${content}`, { token, body })).status).toBe(201)
  }
  await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { status: 'completed' } })
  await sql`update runs set completed_at = now() - ${days} * interval '1 day' where id = ${run.id}`.execute(server.db)
  const list = async (path: string) => (await server.request<AttachmentBody>('GET', path, { token })).body.data
  const setDays = (keep_run_files_days: number | null) =>
    server.request('PATCH', `/v1/projects/${project.id}/run-settings`, { token, body: { keep_run_files_days } })
  return { ...scenario, places, list, setDays }
}

const runJob = (maxDays: number | null = null) =>
  createRetentionJob({ ...settings, runFileRetentionDays: maxDays }).run(server.db, signal)

const removed = { state: 'removed', file_id: null, byte_count: null }

describe('the removal of old files', () => {
  it('removes the files of runs that are older than the project keeps them, and leaves attachments that say so', async () => {
    const { places, list, setDays, project, token } = await makeRunWithFiles(40)
    await runJob()
    await setDays(50)
    await runJob()
    expect(await list(places.run)).toMatchObject([{ state: 'complete' }])
    await setDays(30)
    await runJob()
    await runJob()
    expect(await list(places.run)).toMatchObject([{ name: 'log', ...removed }])
    expect(await list(places.result)).toMatchObject([{ name: 'picture', ...removed }])
    expect(await list(places.testCase)).toMatchObject([{ name: 'picture', state: 'complete' }])
    await expectCorrectCounters(server, project.id)
    const log = `/v1/projects/${project.id}/audit-log?action=project.remove_old_files`
    const { body } = await server.request<{ data: unknown[] }>('GET', log, { token })
    expect(body.data).toMatchObject([{ actor: { kind: 'system' }, detail: { files: 2 } }])
  })

  it('follows the shorter one of two limits, keeps files of runs that are open again, and says beforehand what it removes', async () => {
    const { places, list, setDays, run, token, project } = await makeRunWithFiles(40)
    await setDays(100)
    await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { status: 'in_progress' } })
    await runJob(30)
    expect(await list(places.run)).toMatchObject([{ state: 'complete' }])
    await sql`
      update runs set status = 'completed', completed_at = now() - interval '40 days' where id = ${run.id}`.execute(
      server.db,
    )
    const description = await describeRetention(server.db, { ...settings, runFileRetentionDays: 30 })
    expect(description).toMatch(new RegExp(`Files of runs of project ${project.id} .*: 2\n`))
    await runJob(30)
    expect(await list(places.run)).toMatchObject([removed])
  })

  it('removes a file that is attached to an old run later, and not what waits for a lock', async () => {
    const { places, list, setDays, run, token, project } = await makeRunWithFiles(40)
    await setDays(30)
    await server.db.transaction().execute(async (tx) => {
      await sql`select from runs where id = ${run.id} for update`.execute(tx)
      await runJob()
    })
    expect(await list(places.run)).toMatchObject([{ state: 'complete' }])
    await runJob()
    await server.request('POST', `${places.run}?name=late`, { token, body: Buffer.from('late') })
    await makeRun(server, project)
    await runJob()
    expect(await list(places.run)).toMatchObject([removed, { name: 'late', ...removed }])
    await expectCorrectCounters(server, project.id)
  })
})
