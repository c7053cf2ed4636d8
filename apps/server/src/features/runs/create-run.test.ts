import type { Run } from '@caseward/contract/run-schemas'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import {
  getRunResults,
  makeCiToken,
  makeFolder,
  makeMilestone,
  makeProject,
  makeTestCase,
  makeTestCases,
} from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

const server = useSharedServer()

type Project = Awaited<ReturnType<typeof makeProject>>

async function create(project: Project, body: object, token = project.admin.token): Promise<Run> {
  const response = await server.request<{ data: Run }>('POST', `/v1/projects/${project.id}/runs`, { token, body })
  expect(response.status).toBe(201)
  return response.body.data
}

const refuse = async (project: Project, body: object) =>
  await server.expectProblem(400, 'POST', `/v1/projects/${project.id}/runs`, { token: project.admin.token, body })

const listCaseIds = async (run: Run, project: Project) => [
  ...(await getRunResults(server, run.id, project.admin.token)).keys(),
]

describe('POST /v1/projects/:project_id/runs', () => {
  it(
    'returns 201 with all fields of the new run',
    {
      tags: ['spec:service/stores-test-runs', 'spec:runs/further-fields-decided', 'spec:runs/values-of-status-decided'],
    },
    async () => {
      const project = await makeProject(server)
      await makeTestCases(server, project, 3)
      const run = await create(project, { name: '  Nightly ', description: 'Every night' })
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(run).toEqual({
        id: expect.any(String),
        project_id: project.id,
        name: 'Nightly',
        description: 'Every night',
        status: 'in_progress',
        milestone_id: null,
        pass_rate: 0,
        stats: { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 3 },
        result_count: 3,
        created_by: project.admin.id,
        created_at: time,
        updated_at: time,
        completed_at: null,
        run_key: null,
        metadata: {},
        expected_shards: null,
        shards_done: [],
        adds_test_cases: false,
        test_stats: {
          total: 0,
          unmatched: 0,
          passed: 0,
          failed: 0,
          flaky: 0,
          skipped: 0,
          unmatched_stats: { passed: 0, failed: 0, skipped: 0 },
          errors: 0,
        },
        suite_error_count: 0,
        attachment_count: 0,
        waiting_file_count: 0,
        comment_count: 0,
      })
    },
  )

  it('adds all test cases of the project by default', { tags: ['spec:runs/endpoints-decided'] }, async () => {
    const project = await makeProject(server)
    const other = await makeProject(server)
    const ids = await makeTestCases(server, project, 12)
    await makeTestCases(server, other, 2)
    expect(await listCaseIds(await create(project, { name: 'All' }), project)).toEqual(ids)
  })

  it(
    'adds the listed test cases once each, as not tested',
    {
      tags: [
        'spec:service/stores-one-result-for-each-test-case-in-a-run',
        'spec:conventions/a-nullable-field-without-a-value-is-there-as',
        'spec:results/status-not_tested-by-default',
        'spec:results/note-string-nullable',
        'spec:results/elapsed-whole-seconds-nullable',
        'spec:results/tested_by-user-id-nullable',
        'spec:results/tested_at-timestamp-nullable',
        'spec:results/not_tested-not-executed-yet',
      ],
    },
    async () => {
      const project = await makeProject(server)
      await makeTestCases(server, project, 4)
      const run = await create(project, { name: 'Some', test_case_ids: ['WEB-4', 'WEB-2', 'WEB-4'] })
      const results = await getRunResults(server, run.id, project.admin.token)
      expect([...results.keys()]).toEqual(['WEB-2', 'WEB-4'])
      expect(results.get('WEB-4')).toEqual({
        id: expect.any(String),
        test_case_id: 'WEB-4',
        test_case_title: 'Case 4',
        status: 'not_tested',
        note: null,
        elapsed: null,
        tested_by: null,
        tested_at: null,
      })
      expect(run.result_count).toBe(2)
    },
  )

  it.each([[{ test_case_ids: [] }], [{ folder_ids: [] }]])('creates an empty run for %j', async (chosen) => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 2)
    expect((await create(project, { name: 'Empty', ...chosen })).result_count).toBe(0)
  })

  it('adds only the test cases in the listed folders and their subfolders', async () => {
    const project = await makeProject(server)
    const top = await makeFolder(server, project)
    const middle = await makeFolder(server, project, { parent_id: top.id })
    const bottom = await makeFolder(server, project, { parent_id: middle.id })
    const beside = await makeFolder(server, project)
    for (const folder_id of [top.id, middle.id, bottom.id, beside.id])
      await makeTestCase(server, project, { folder_id })
    await makeTestCase(server, project)
    const run = await create(project, { name: 'Middle', folder_ids: [middle.id, bottom.id] })
    expect(await listCaseIds(run, project)).toEqual(['WEB-2', 'WEB-3'])
  })

  it('adds the test cases of folders and the listed test cases when both are sent', async () => {
    const project = await makeProject(server)
    const folder = await makeFolder(server, project)
    await makeTestCases(server, project, 2)
    await makeTestCase(server, project, { folder_id: folder.id })
    const run = await create(project, { name: 'Both', folder_ids: [folder.id], test_case_ids: ['WEB-1', 'WEB-3'] })
    expect(await listCaseIds(run, project)).toEqual(['WEB-3', 'WEB-1'])
  })

  it('returns 400 with every unknown test case, folder and milestone, and creates nothing', async () => {
    const project = await makeProject(server)
    const other = await makeProject(server, { prefix: 'APP' })
    await makeTestCases(server, project, 1)
    await makeTestCases(server, other, 1)
    const foreign = await makeFolder(server, other)
    const own = await makeFolder(server, project)
    const problem = await refuse(project, {
      name: 'x',
      test_case_ids: ['WEB-1', 'WEB-2', 'APP-1', 'web-1', 'WEB-01', '', 'WEB-99999999999'],
      folder_ids: [own.id, foreign.id, 'nonsense'],
      milestone_id: (await makeMilestone(server, other)).id,
    })
    expect(problem.errors?.map(({ path }) => path)).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((index) => `/test_case_ids/${index}`),
      '/folder_ids/1',
      '/folder_ids/2',
      '/milestone_id',
    ])
    const { body } = await server.request<{ data: { run_count: number } }>('GET', `/v1/projects/${project.id}`, {
      token: project.admin.token,
    })
    expect(body.data.run_count).toBe(0)
    await expectCorrectCounters(server, project.id)
  })

  it.each([[uuidv7()], ['nonsense']])('returns 400 for the unknown milestone %s', async (milestone_id) => {
    const project = await makeProject(server)
    expect((await refuse(project, { name: 'x', milestone_id })).errors?.map(({ path }) => path)).toEqual([
      '/milestone_id',
    ])
  })

  it('links a milestone of the project', async () => {
    const project = await makeProject(server)
    const { id: milestone_id } = await makeMilestone(server, project)
    expect((await create(project, { name: 'x', milestone_id })).milestone_id).toBe(milestone_id)
  })

  it.each([
    [{}, '/name'],
    [{ name: ' ' }, '/name'],
    [{ name: 'x'.repeat(256) }, '/name'],
    [{ name: 'x', description: null }, '/description'],
    [{ name: 'x', description: 'x'.repeat(65_537) }, '/description'],
    [{ name: 'x', test_case_ids: 'WEB-1' }, '/test_case_ids'],
    [{ name: 'x', test_case_ids: [1] }, '/test_case_ids/0'],
    [{ name: 'x', folder_ids: [null] }, '/folder_ids/0'],
  ])('returns 400 with the field for %j', async (body, path) => {
    const project = await makeProject(server)
    expect((await refuse(project, body)).errors?.map((error) => error.path)).toEqual([path])
  })

  it('accepts members, and CI tokens with write access, whose runs have no creator', async () => {
    const project = await makeProject(server)
    const member = await makeMember(server, project.id, 'member')
    expect((await create(project, { name: 'x' }, member.token)).created_by).toBe(member.id)
    expect((await create(project, { name: 'x' }, await makeCiToken(server, project))).created_by).toBeNull()
  })

  it('returns 403 to viewers, users who are not members and read-only tokens before validating the body', async () => {
    const project = await makeProject(server)
    const stranger = (await makeProject(server)).admin.token
    const viewer = (await makeMember(server, project.id, 'viewer')).token
    const reader = await makeCiToken(server, project, 'read')
    for (const token of [stranger, viewer, reader]) {
      await server.expectProblem(403, 'POST', `/v1/projects/${project.id}/runs`, { token, body: { name: 5 } })
    }
  })

  it('keeps the counters correct when runs and test cases are created at the same time', async () => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 20)
    const responses = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        if (index % 3 === 0) await makeTestCase(server, project)
        return await create(project, { name: `Run ${index}` })
      }),
    )
    expect(responses).toHaveLength(12)
    await expectCorrectCounters(server, project.id)
  })
})
