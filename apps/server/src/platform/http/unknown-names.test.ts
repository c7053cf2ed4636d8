import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

const results = [{ test_case_id: 'WEB-1', status: 'failed' }]

describe('a request that changes something', () => {
  it.each([
    ['dryRun=true', '/dryRun', 'is unknown: use dry_run'],
    ['finished_a=2026-11-21T10:00:00Z', '/finished_a', 'is unknown: use finished_at'],
    ['elephant=1', '/elephant', 'is unknown: remove it'],
  ])(
    'returns 400 unknown_parameter for ?%s, names the nearest one, and stores nothing',
    async (query, path, message) => {
      const { run, ci, results: readResults } = await makeUploadScenario(server, 1)
      const url = `/v1/results?run_id=${run.id}&${query}`
      const problem = await server.expectProblem(400, 'POST', url, { token: ci, body: { results } })
      expect([problem.code, problem.errors]).toEqual(['unknown_parameter', [{ path, message }]])
      expect((await readResults()).get('WEB-1')?.status).toBe('not_tested')
    },
  )

  it('returns 403 before 400 to a caller without the permission', async () => {
    const { run, token } = await makeUploadScenario(server, 1)
    const url = `/v1/results?run_id=${run.id}&dryRun=true`
    expect((await server.request('POST', url, { token, body: { results } })).status).toBe(403)
  })

  it('lists unknown fields of the body as warnings, with the nearest known one', async () => {
    const { run, ci } = await makeUploadScenario(server, 1)
    const body = {
      run_id: run.id,
      colour: 1,
      dryrun: true,
      results: [{ ...results[0], comment: 'refused', elapse: 3 }],
    }
    const response = await server.request<object>('POST', '/v1/results', { token: ci, body })
    expect(response).toMatchObject({
      status: 200,
      body: {
        uploaded_count: 1,
        warnings: [
          { code: 'unknown_field', field: '/colour' },
          { code: 'unknown_field', field: '/dryrun', did_you_mean: 'dry_run' },
          { code: 'unknown_field', field: '/results/0/comment' },
          { code: 'unknown_field', field: '/results/0/elapse', did_you_mean: 'elapsed' },
        ],
      },
    })
  })

  it('lists them in a response that reports errors, and at most 10', async () => {
    const { run, ci } = await makeUploadScenario(server, 1)
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, index]))
    const body = { run_id: run.id, results: [{ test_case_id: 'WEB-9', status: 'passed' }], ...unknown }
    const response = await server.request<{ warnings: object[] }>('POST', '/v1/results', { token: ci, body })
    expect([response.status, response.body.warnings.length]).toEqual([207, 10])
  })

  it('has no warnings where any name is allowed, or nothing is unknown', async () => {
    const { project, token } = await makeUploadScenario(server, 1)
    const body = { name: 'Nightly', metadata: { anything: 'main' } }
    const response = await server.request('POST', `/v1/projects/${project.id}/runs`, { token, body })
    expect(response.status).toBe(201)
    expect(response.body).not.toHaveProperty('warnings')
  })
})

describe('a request that only reads', () => {
  it('ignores unknown parameters', async () => {
    const { run, token } = await makeUploadScenario(server, 1)
    expect((await server.request('GET', `/v1/runs/${run.id}?elephant=1`, { token })).status).toBe(200)
  })
})
