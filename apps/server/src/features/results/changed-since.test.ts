import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'

import {
  makeCiToken,
  makeFolder,
  makeProject,
  makeRun,
  makeTestCase,
  makeTestCases,
} from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

type Project = Awaited<ReturnType<typeof makeProject>>
interface List {
  data: { id: string; test_case_id?: string | null }[]
  meta: { total: number }
}
let project: Project
let token: string
beforeEach(async () => {
  project = await makeProject(server)
  token = project.admin.token
})

/** Pretends that everything that exists changed an hour ago. */
async function ageEverything(): Promise<void> {
  const hourAgo = sql`now() - interval '1 hour'`
  await sql`update test_cases set updated_at = ${hourAgo} where project_id = ${project.id}`.execute(server.db)
  await sql`update test_results set changed_at = ${hourAgo}, tested_at = ${hourAgo} where project_id = ${project.id}`.execute(
    server.db,
  )
}
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

async function list(path: string, since: string): Promise<List> {
  const { status, body } = await server.request<List>('GET', `${path}?fields=row&changed_since=${since}`, { token })
  expect(status).toBe(200)
  return body
}

describe('GET /v1/projects/:project_id/test-cases?changed_since=', () => {
  const listCases = (since = minutesAgo(1)) => list(`/v1/projects/${project.id}/test-cases`, since)
  const getIds = ({ data }: List) => data.map(({ id }) => id)

  it('returns test cases that were created, changed or moved since, with their total', async () => {
    const folder = await makeFolder(server, project)
    await makeTestCases(server, project, 5)
    await makeTestCase(server, project, { folder_id: folder.id })
    await ageEverything()
    expect(await listCases()).toMatchObject({ data: [], meta: { total: 0 } })
    expect((await listCases(minutesAgo(61))).meta.total).toBe(6)
    const path = `/v1/projects/${project.id}/test-cases`
    await server.request('PATCH', `${path}/WEB-2`, { token, body: { title: 'Changed' } })
    await server.request('DELETE', `/v1/projects/${project.id}/folders/${folder.id}`, { token })
    const created = await makeTestCase(server, project)
    const changed = await listCases()
    expect([getIds(changed), changed.meta.total]).toEqual([['WEB-2', 'WEB-6', created.id], 3])
  })

  it('does not return a test case that was sent unchanged fields or was deleted', async () => {
    await makeTestCases(server, project, 2)
    await ageEverything()
    const path = `/v1/projects/${project.id}/test-cases`
    await server.request('PATCH', `${path}/WEB-1`, { token, body: {} })
    await server.request('DELETE', `${path}/WEB-2`, { token })
    expect(getIds(await listCases())).toEqual([])
  })

  it('also returns changes of the ten seconds before, whose transaction may have been stored later', async () => {
    await makeTestCases(server, project, 2)
    const changedAt = new Date(Date.now() - 3_600_000)
    await sql`update test_cases set updated_at = ${changedAt} where project_id = ${project.id}`.execute(server.db)
    const after = (milliseconds: number) => new Date(changedAt.getTime() + milliseconds).toISOString()
    expect((await listCases(after(10_000))).meta.total).toBe(2)
    expect((await listCases(after(10_001))).meta.total).toBe(0)
  })

  it('accepts the earliest and the latest time', async () => {
    await makeTestCases(server, project, 1)
    expect((await listCases('0100-01-01')).meta.total).toBe(1)
    expect((await listCases('9999-12-31T23:59:59Z')).meta.total).toBe(0)
  })

  it.each(['yesterday', '', '2026-02-30'])('returns 400 for %j, which is not a time', async (since) => {
    const path = `/v1/projects/${project.id}/test-cases?changed_since=${since}`
    const problem = await server.expectProblem(400, 'GET', path, { token })
    expect(problem.errors?.map(({ path: errorPath }) => errorPath)).toEqual(['/changed_since'])
  })
})

describe('GET /v1/runs/:run_id/results?changed_since=', () => {
  let runPath: string
  const listResults = (since = minutesAgo(1)) => list(`${runPath}/results`, since)
  const getCases = ({ data }: List) => data.map((row) => row.test_case_id)
  beforeEach(async () => {
    await makeTestCases(server, project, 5)
    runPath = `/v1/runs/${(await makeRun(server, project)).id}`
    await ageEverything()
  })

  it('returns results that were set, one at a time or several, with their total', async () => {
    expect(await listResults()).toMatchObject({ data: [], meta: { total: 0 } })
    await server.request('PUT', `${runPath}/results/WEB-2`, { token, body: { status: 'passed' } })
    const results = [{ test_case_id: 'WEB-4', status: 'failed' }]
    await server.request('POST', `${runPath}/results/bulk`, { token, body: { results } })
    const changed = await listResults()
    expect([getCases(changed), changed.meta.total]).toEqual([['WEB-2', 'WEB-4'], 2])
  })

  it('returns results of an upload that finished long before it was sent', async () => {
    const results = [{ test_case_id: 'WEB-3', status: 'failed' }]
    const body = { run_id: runPath.split('/').at(-1), results, finished_at: minutesAgo(30) }
    const { status } = await server.request('POST', '/v1/results', { token: await makeCiToken(server, project), body })
    expect([status, getCases(await listResults())]).toEqual([200, ['WEB-3']])
  })

  it('returns results that were added to the run, and those whose test case was deleted', async () => {
    const { id } = await makeTestCase(server, project)
    await server.request('POST', `${runPath}/test-cases`, { token, body: { test_case_ids: [id] } })
    await server.request('DELETE', `/v1/projects/${project.id}/test-cases/WEB-1`, { token })
    expect(getCases(await listResults())).toEqual([null, id])
  })
})
