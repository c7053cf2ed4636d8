import type { Run } from '@caseward/contract/run-schemas'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { getRunResults, makeCiToken, makeProject, makeTestCase, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

const server = useSharedServer()

type Project = Awaited<ReturnType<typeof makeProject>>

const getRunsPath = ({ id }: Project) => `/v1/projects/${id}/runs`

/** Sends the request, and returns the status and the run. */
async function postRun(project: Project, body: object, token = project.admin.token) {
  const response = await server.request<{ data: Run }>('POST', getRunsPath(project), {
    token,
    body: { name: 'CI', ...body },
  })
  return { status: response.status, run: response.body.data }
}

async function list(project: Project, query: string) {
  const { body } = await server.request<{ data: Run[]; meta: { total: number } }>('GET', getRunsPath(project) + query, {
    token: project.admin.token,
  })
  return { ids: body.data.map(({ id }) => id), total: body.meta.total }
}

describe('POST /v1/projects/:project_id/runs with a run_key', () => {
  it('creates a run for a new key, and returns 201', async () => {
    const project = await makeProject(server)
    const { status, run } = await postRun(project, { run_key: '  build 1 ', expected_shards: 2 })
    expect(status).toBe(201)
    expect(run).toMatchObject({ run_key: 'build 1', expected_shards: 2, shards_done: [], status: 'in_progress' })
  })

  it(
    'returns 200 with the existing run unchanged for a known key, and ignores the other fields',
    { tags: ['spec:runs/one-run-for-all-shards-decided'] },
    async () => {
      const project = await makeProject(server)
      await makeTestCases(server, project, 3)
      const created = await postRun(project, {
        run_key: 'build 1',
        test_case_ids: ['WEB-1'],
        metadata: { branch: 'main' },
      })
      const repeated = await postRun(project, {
        name: 'Another name',
        description: 'Another',
        run_key: 'build 1',
        test_case_ids: ['WEB-2', 'WEB-99'],
        milestone_id: 'unknown',
        metadata: { branch: 'other' },
      })
      expect(repeated).toEqual({ status: 200, run: created.run })
      expect([...(await getRunResults(server, created.run.id, project.admin.token)).keys()]).toEqual(['WEB-1'])
      expect(await list(project, '')).toEqual({ ids: [created.run.id], total: 1 })
      await expectCorrectCounters(server, project.id)
    },
  )

  it('ignores white space around a key, but not upper and lower case', async () => {
    const project = await makeProject(server)
    const created = await postRun(project, { run_key: 'build 1' })
    expect((await postRun(project, { run_key: '\tbuild 1\n' })).run.id).toBe(created.run.id)
    expect((await postRun(project, { run_key: 'Build 1' })).status).toBe(201)
  })

  it(
    'creates exactly one run for 20 requests with the same key at the same time',
    { tags: ['spec:runs/one-run-for-all-shards-decided'] },
    async () => {
      const project = await makeProject(server)
      await makeTestCases(server, project, 50)
      const token = await makeCiToken(server, project)
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => postRun(project, { run_key: 'build 1', adds_test_cases: false }, token)),
      )
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(19)
      expect(new Set(responses.map(({ run }) => run.id)).size).toBe(1)
      for (const { run } of responses) expect(run.result_count).toBe(50)
      expect((await list(project, '')).total).toBe(1)
      await expectCorrectCounters(server, project.id)
    },
  )

  it('creates a run that starts empty and takes what is reported, unless it names test cases', async () => {
    const project = await makeProject(server)
    const ids = await makeTestCases(server, project, 2)
    const make = async (body: object) => {
      const { run } = await postRun(project, body)
      return [run.result_count, run.adds_test_cases]
    }
    expect(await make({ run_key: 'a' })).toEqual([0, true])
    expect(await make({ run_key: 'b', adds_test_cases: false })).toEqual([2, false])
    expect(await make({ run_key: 'c', test_case_ids: ids.slice(1) })).toEqual([1, false])
    expect(await make({ adds_test_cases: true })).toEqual([2, true])
  })

  it('creates one run per key while other runs and test cases are created at the same time', async () => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 5)
    const responses = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        if (index % 6 === 0) await makeTestCase(server, project)
        return await postRun(project, index % 4 === 3 ? {} : { run_key: `build ${index % 4}` })
      }),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3 + 6)
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(15)
    await expectCorrectCounters(server, project.id)
  })

  it('creates a run for a key that another project uses', async () => {
    const [project, other] = [await makeProject(server), await makeProject(server)]
    const created = await postRun(project, { run_key: 'build 1' })
    const second = await postRun(other, { run_key: 'build 1' })
    expect([second.status, second.run.id === created.run.id]).toEqual([201, false])
  })

  it('creates a new run for the key of a deleted run', async () => {
    const project = await makeProject(server)
    const created = await postRun(project, { run_key: 'build 1' })
    await server.request('DELETE', `/v1/runs/${created.run.id}`, { token: project.admin.token })
    const recreated = await postRun(project, { run_key: 'build 1' })
    expect([recreated.status, recreated.run.id === created.run.id]).toEqual([201, false])
  })

  it('returns a completed run unchanged', async () => {
    const project = await makeProject(server)
    const { run } = await postRun(project, { run_key: 'build 1' })
    await server.request('PATCH', `/v1/runs/${run.id}`, { token: project.admin.token, body: { status: 'completed' } })
    const repeated = await postRun(project, { run_key: 'build 1' })
    expect([repeated.status, repeated.run.id, repeated.run.status]).toEqual([200, run.id, 'completed'])
  })

  it('sets expected_shards when it was null, and never changes it', async () => {
    const project = await makeProject(server)
    await postRun(project, { run_key: 'build 1' })
    expect((await postRun(project, { run_key: 'build 1', expected_shards: 3 })).run.expected_shards).toBe(3)
    expect((await postRun(project, { run_key: 'build 1', expected_shards: 4 })).run.expected_shards).toBe(3)
    expect((await postRun(project, { run_key: 'build 1' })).run.expected_shards).toBe(3)
  })

  it('leaves the key unused when a test case is unknown', async () => {
    const project = await makeProject(server)
    expect((await postRun(project, { run_key: 'build 1', test_case_ids: ['WEB-9'] })).status).toBe(400)
    expect((await postRun(project, { run_key: 'build 1' })).status).toBe(201)
  })

  it('returns 403 to viewers and read-only tokens also for an existing run', async () => {
    const project = await makeProject(server)
    await postRun(project, { run_key: 'build 1' })
    const viewer = await makeMember(server, project.id, 'viewer')
    const body = { name: 'CI', run_key: 'build 1' }
    for (const token of [viewer.token, await makeCiToken(server, project, 'read')]) {
      await server.expectProblem(403, 'POST', getRunsPath(project), { token, body })
    }
  })

  const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']))

  it.each<[object, string, string]>([
    [{ run_key: ' ' }, '/run_key', 'must not be empty'],
    [{ run_key: 'x'.repeat(256) }, '/run_key', 'must be at most 255 characters long'],
    [{ run_key: 5 }, '/run_key', 'must be text'],
    [{ run_key: 'a\0b' }, '/run_key', 'must be well-formed Unicode without NUL characters'],
    [{ expected_shards: 0 }, '/expected_shards', 'must be 1 or more'],
    [{ expected_shards: 1001 }, '/expected_shards', 'must be 1000 or less'],
    [{ expected_shards: 1.5 }, '/expected_shards', 'must be a whole number'],
    [{ metadata: [] }, '/metadata', 'must be a JSON object'],
    [{ metadata: null }, '/metadata', 'must be a JSON object'],
    [{ metadata: { branch: 5 } }, '/metadata/branch', 'must be text'],
    [{ metadata: { branch: 'x'.repeat(1001) } }, '/metadata/branch', 'must be at most 1000 characters long'],
    [{ metadata: { branch: '\0' } }, '/metadata/branch', 'must be well-formed Unicode without NUL characters'],
    [{ metadata: { '': 'x' } }, '/metadata', 'has a name that must not be empty'],
    [{ metadata: { ['k'.repeat(65)]: 'x' } }, '/metadata', 'has a name that must be at most 64 characters long'],
    [{ metadata: { 'a\0': 'x' } }, '/metadata', 'has a name that must be well-formed Unicode without NUL characters'],
    [{ metadata: entries(51) }, '/metadata', 'must have at most 50 entries'],
  ])('returns 400 with the field and the reason for %j', async (fields, path, message) => {
    const project = await makeProject(server)
    const { errors } = await server.expectProblem(400, 'POST', getRunsPath(project), {
      token: project.admin.token,
      body: { name: 'CI', ...fields },
    })
    expect(errors).toEqual([{ path, message }])
  })

  it('stores metadata of the maximum size with any text', async () => {
    const project = await makeProject(server)
    const metadata = { ...entries(48), ['\u{1F600}'.repeat(64)]: '\u{1F600}'.repeat(1000), "'; --": '"<\\u0000>' }
    const { run } = await postRun(project, { metadata })
    expect(run.metadata).toEqual(metadata)
    const { body } = await server.request<{ data: Run }>('GET', `/v1/runs/${run.id}`, { token: project.admin.token })
    expect(body.data).toEqual(run)
  })

  it('returns 400 with at most 1,000 errors for a body with 1,000 metadata entries', async () => {
    const project = await makeProject(server)
    const metadata = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, 1]))
    const { errors } = await server.expectProblem(400, 'POST', getRunsPath(project), {
      token: project.admin.token,
      body: { name: 'CI', metadata },
    })
    expect(errors).toHaveLength(1000)
    expect(errors?.[0]).toEqual({ path: '/metadata', message: 'must have at most 50 entries' })
  })
})

describe('GET /v1/projects/:project_id/runs?run_key=', () => {
  it('returns the run of a key, and nothing for a key that is unknown in the project', async () => {
    const [project, other] = [await makeProject(server), await makeProject(server)]
    const { run } = await postRun(project, { run_key: 'build 1' })
    await postRun(project, { run_key: 'build 2' })
    await postRun(project, {})
    await postRun(other, { run_key: 'build 3' })
    expect(await list(project, '?run_key=build+1')).toEqual({ ids: [run.id], total: 1 })
    expect(await list(project, '?run_key=build+3')).toEqual({ ids: [], total: 0 })
  })
})

describe('PATCH /v1/runs/:run_id with metadata', () => {
  it('replaces all metadata, and does not change it when it is not sent', async () => {
    const project = await makeProject(server)
    const { run } = await postRun(project, { metadata: { branch: 'main', commit: 'abc' } })
    const change = async (body: object) => {
      const { token } = project.admin
      return (await server.request<{ data: Run }>('PATCH', `/v1/runs/${run.id}`, { token, body })).body.data
    }
    expect((await change({ metadata: { commit: 'def' } })).metadata).toEqual({ commit: 'def' })
    expect((await change({ name: 'x' })).metadata).toEqual({ commit: 'def' })
    const emptied = await change({ metadata: {} })
    expect(emptied).toEqual({ ...run, name: 'x', metadata: {}, updated_at: expect.any(String) })
    expect(emptied.updated_at > run.updated_at).toBe(true)
  })
})
