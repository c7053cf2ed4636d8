import type { Attachment } from '@caseward/contract/attachment-schemas'
import type { Combination } from '@caseward/contract/combinations'
import type { Problem } from '@caseward/contract/problem'
import type { ResultChange } from '@caseward/contract/result-changes'
import type { ResultDetail } from '@caseward/contract/result-rows'
import type { Run } from '@caseward/contract/run-schemas'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken, makeConfigurations, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

/** A run of one test case with three steps in two browsers. */
async function makeScenario() {
  const project = await makeProject(server)
  const { token } = project.admin
  await makeConfigurations(server, project, { browser: ['chrome', 'firefox'] })
  const steps = ['Open', 'Pay', 'Leave'].map((action, index) => ({ position: index + 1, action, expected: '' }))
  const { id } = await makeTestCase(server, project, { steps })
  const configurations = { groups: { browser: ['chrome', 'firefox'] } }
  const run = await makeRun(server, project, { test_case_ids: [id], configurations })
  const path = `/v1/runs/${run.id}/results/${id}`
  const get = async <T>(url: string) => (await server.request<{ data: T }>('GET', url, { token })).body.data
  return {
    project,
    token,
    id,
    path,
    set: (place: number, body: object) =>
      server.request<Problem & { data: Combination }>('PUT', `${path}/combinations/${place}`, { token, body }),
    bulk: (results: object[]) =>
      server.request<{ data: { updated: number } }>('POST', `/v1/runs/${run.id}/results/bulk`, {
        token,
        body: { results },
      }),
    remove: (place: number) => server.request('DELETE', `${path}/combinations/${place}`, { token }),
    attach: (query: string) =>
      server.request<Problem & { data: Attachment }>('POST', `${path}/attachments?name=a.txt${query}`, {
        token,
        body: Buffer.from('seen'),
      }),
    list: () => get<Combination[]>(`${path}/combinations`),
    read: () => get<ResultDetail>(path),
    readRun: () => get<Run & { attachment_count: number | null }>(`/v1/runs/${run.id}`),
    readFiles: () => get<Attachment[]>(`${path}/attachments`),
    readChanges: () => get<ResultChange[]>(`${path}/changes`),
    editCase: (...actions: string[]) =>
      server.request('PATCH', `/v1/projects/${project.id}/test-cases/${id}`, {
        token,
        body: { steps: actions.map((action, index) => ({ position: index + 1, action, expected: '' })) },
      }),
    upload: async (status: string) => {
      const ci = await makeCiToken(server, project)
      const tests = [
        { name: id, test_case_ids: [id], variant: 'chrome', attempts: [{ status, message: 'CI says no' }] },
      ]
      return await server.request('POST', '/v1/results', {
        token: ci,
        body: { run_id: run.id, format: 'tests', tests },
      })
    },
  }
}

const failure = { position: 2, status: 'failed', actual: 'Error 500' } as const

describe('steps of one combination', () => {
  it('are set with it or alone, shown with it, follow the test case, and leave the others and the result as they are', async () => {
    const { set, list, read, editCase, project } = await makeScenario()
    const first = await set(1, { steps: [failure, { position: 1, status: 'passed' }] })
    const steps = [{ position: 1, status: 'passed', actual: null }, failure]
    expect(first.body.data).toMatchObject({ status: 'not_tested', step_state: 'failed', steps })
    await set(2, { status: 'passed', steps: [{ position: 3, status: 'passed' }], note: 'All of it' })
    expect(await list()).toMatchObject([
      { place: 1, status: 'not_tested', step_state: 'failed', steps },
      { place: 2, status: 'passed', step_state: 'not_tested', steps: [{ position: 3, status: 'passed' }] },
    ])
    expect(await read()).toMatchObject({ status: 'not_tested', step_state: null, steps: [] })
    await editCase('Sign in', 'Open', 'Pay', 'Leave')
    expect((await list())[0]?.steps).toMatchObject([
      { position: 2, status: 'passed' },
      { position: 3, status: 'failed' },
    ])
    const unknown = await set(1, { steps: [{ position: 5, status: 'passed' }] })
    expect([unknown.status, unknown.body.code]).toEqual([422, 'unknown_step'])
    expect((await set(1, { note: 'Only a note' })).body.errors).toMatchObject([{ path: '/status' }])
    await set(1, { steps: [2, 3].map((position) => ({ position, status: null, actual: null })) })
    expect((await list())[0]).toMatchObject({ step_state: null, steps: [] })
    await expectCorrectCounters(server, project.id)
  })

  it('have the positions of the text that was tested, too, until a combination is tested with the new one', async () => {
    const { set, list, read, editCase } = await makeScenario()
    // A test case that was never changed has one text.
    await set(1, { status: 'failed', steps: [failure] })
    expect((await list())[0]?.tested_steps).toBeUndefined()
    await editCase('Sign in', 'Open', 'Pay', 'Leave')
    expect(await read()).toMatchObject({ case_version: 1, tested_case: { steps: [{ action: 'Open' }, {}, {}] } })
    const other = await set(2, { status: 'passed', steps: [{ position: 3, status: 'passed' }], case_version: 1 })
    expect(other.body.data).toMatchObject({ steps: [{ position: 4 }], tested_steps: [{ position: 3 }] })
    expect(await list()).toMatchObject([
      { steps: [{ ...failure, position: 3 }], tested_steps: [failure] },
      { steps: [{ position: 4, status: 'passed' }], tested_steps: [{ position: 3, status: 'passed' }] },
    ])
    await set(2, { status: 'failed', steps: [{ position: 1, status: 'failed' }], case_version: 2 })
    expect(await read()).toMatchObject({ case_version: 2, tested_case: null })
    const now = await list()
    expect(now).toMatchObject([{ steps: [{ position: 3 }] }, { steps: [{ position: 1 }, { position: 4 }] }])
    expect(now.map((one) => one.tested_steps)).toEqual([undefined, undefined])
  })

  it('decide its status where the project derives statuses, and are set by bulk items with a place', async () => {
    const { project, token, set, bulk, list, read, id } = await makeScenario()
    const body = { steps_decide: 'derive' }
    await server.request('PATCH', `/v1/projects/${project.id}/run-settings`, { token, body })
    expect((await set(1, { steps: [failure] })).body.data.status).toBe('failed')
    expect((await read()).status).toBe('failed')
    const sent = await bulk([
      { test_case_id: id, place: 1, status: 'blocked', steps: [{ position: 2, status: 'blocked' }] },
      { test_case_id: id, place: 2, status: 'passed', steps: [{ position: 1, status: 'passed' }] },
    ])
    expect([sent.status, sent.body.data.updated]).toEqual([200, 1])
    expect(await list()).toMatchObject([
      { status: 'blocked', steps: [{ position: 2, status: 'blocked', actual: 'Error 500' }] },
      { status: 'passed', steps: [{ position: 1, status: 'passed' }] },
    ])
    expect((await read()).steps).toEqual([])
  })

  it('are kept as earlier values when they are replaced, and when CI sets the combination, which then has none', async () => {
    const { set, list, upload, readChanges } = await makeScenario()
    await set(1, { steps: [failure] })
    // Nothing but steps: its first status replaces nothing.
    await set(1, { status: 'failed', note: 'See step 2' })
    expect(await readChanges()).toEqual([])
    await set(1, { steps: [{ position: 2, status: 'blocked' }] })
    expect((await readChanges())[0]?.combinations).toMatchObject([{ place: 1, status: 'failed', steps: [failure] }])
    await upload('passed')
    expect((await list())[0]).toMatchObject({ status: 'passed', step_state: null, steps: [] })
    expect((await readChanges())[0]?.combinations).toMatchObject([
      { place: 1, steps: [{ position: 2, status: 'blocked' }] },
    ])
  })

  it('stay when the result is set as a whole, and go with the combination, as its files do', async () => {
    const { project, token, path, set, list, remove, attach, readFiles, read, readRun } = await makeScenario()
    await set(1, { steps: [failure] })
    await set(2, { steps: [failure] })
    expect((await attach('&place=9')).body.code).toBe('unknown_combination')
    expect((await attach('&place=1&step=2')).body.data).toMatchObject({ place: 1, step: 2 })
    expect((await attach('')).body.data).toMatchObject({ place: null, step: null })
    await attach('&place=2')
    expect((await readFiles()).map(({ place }) => place)).toEqual([1, null, 2])
    await server.request('PUT', path, { token, body: { status: 'passed' } })
    expect(await list()).toMatchObject([
      { status: 'passed', steps: [failure] },
      { status: 'passed', steps: [failure] },
    ])
    await remove(1)
    expect(await list()).toMatchObject([{ place: 2, steps: [failure] }])
    expect((await readFiles()).map(({ place }) => place)).toEqual([null, 2])
    expect((await read()).attachments).toHaveLength(2)
    expect((await readRun()).attachment_count).toBe(2)
    const left = await server.db
      .selectFrom('step_results')
      .select('place')
      .where('project_id', '=', project.id)
      .execute()
    expect(left).toEqual([{ place: 2 }])
    await expectCorrectCounters(server, project.id)
  })
})
