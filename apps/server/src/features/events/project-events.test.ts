import { openEventStream } from '@caseward/test-support/event-stream'
import {
  insertTestCases,
  makeFolder,
  makeMilestone,
  makeProject,
  makeRun,
  makeTestCase,
  makeTestCases,
} from '@caseward/test-support/factories'
import { makeSharedStep } from '@caseward/test-support/shared-step-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { waitUntil } from '@caseward/test-support/wait-until'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

async function makeProjectWithStream() {
  const project = await makeProject(server)
  const { token } = project.admin
  const path = `/v1/projects/${project.id}`
  const send = async (method: string, url: string, body?: object) => {
    const response = await server.request(method, url, { token, ...(body === undefined ? {} : { body }) })
    expect(response.status).toBeLessThan(300)
  }
  const open = async () => {
    const stream = await openEventStream(server.url, `${path}/events`, { token })
    await stream.next('sync')
    return stream
  }
  return { project, path, send, open }
}

describe('the event stream of a project', () => {
  it('names the test cases that are created, changed and deleted', async () => {
    const { project, path, send, open } = await makeProjectWithStream()
    const stream = await open()
    const { id } = await makeTestCase(server, project)
    const ofOne = { ids: [id], more: false }
    expect((await stream.next('test_cases')).data).toEqual(ofOne)
    await send('PATCH', `${path}/test-cases/${id}`, { title: 'Changed' })
    expect((await stream.next('test_cases')).data).toEqual(ofOne)
    await send('DELETE', `${path}/test-cases/${id}`)
    expect((await stream.next('test_cases')).data).toEqual(ofOne)
  })

  it('says only that there are more when more than 500 test cases change', async () => {
    const { project, path, send, open } = await makeProjectWithStream()
    const folder = await makeFolder(server, project)
    // Not by requests, whose own events may arrive after the stream has begun.
    await insertTestCases(server, project, 501)
    const test_case_ids = Array.from({ length: 501 }, (_, index) => `WEB-${index + 1}`)
    const stream = await open()
    await send('POST', `${path}/test-cases/bulk-update`, { test_case_ids, set: { folder_id: folder.id } })
    expect((await stream.next('test_cases')).data).toEqual({ ids: [], more: true })
  })

  it('says that folders changed, also when their counts did', async () => {
    const { project, path, send, open } = await makeProjectWithStream()
    const stream = await open()
    const folder = await makeFolder(server, project)
    expect((await stream.next('folders')).data).toEqual({})
    await makeTestCase(server, project, { folder_id: folder.id })
    expect((await stream.next('folders')).data).toEqual({})
    await send('DELETE', `${path}/folders/${folder.id}`)
    expect((await stream.next('folders')).data).toEqual({})
  })

  it('names the milestones that are created, changed and deleted', async () => {
    const { project, path, send, open } = await makeProjectWithStream()
    const stream = await open()
    const { id } = await makeMilestone(server, project)
    const ofOne = { ids: [id], more: false }
    expect((await stream.next('milestones')).data).toEqual(ofOne)
    await send('PATCH', `${path}/milestones/${id}`, { name: 'Changed' })
    expect((await stream.next('milestones')).data).toEqual(ofOne)
    await send('DELETE', `${path}/milestones/${id}`)
    expect((await stream.next('milestones')).data).toEqual(ofOne)
  })

  it('names the shared steps that are created, changed and deleted, also those that no test case uses', async () => {
    const { project, path, send, open } = await makeProjectWithStream()
    const stream = await open()
    const { id } = await makeSharedStep(server, project, { title: 'Sign in', steps: [{ action: 'Sign in' }] })
    const ofOne = { ids: [id], more: false }
    expect((await stream.next('shared_steps')).data).toEqual(ofOne)
    await send('PATCH', `${path}/shared-steps/${id}`, { title: 'Log in', apply_to: 'all' })
    expect((await stream.next('shared_steps')).data).toEqual(ofOne)
    await send('DELETE', `${path}/shared-steps/${id}`)
    expect((await stream.next('shared_steps')).data).toEqual(ofOne)
  })

  it('names the runs that are created, renamed, completed and deleted', async () => {
    const { project, send, open } = await makeProjectWithStream()
    const stream = await open()
    const { id } = await makeRun(server, project)
    const ofOne = { ids: [id], more: false }
    expect((await stream.next('runs')).data).toEqual(ofOne)
    await send('PATCH', `/v1/runs/${id}`, { name: 'Changed' })
    expect((await stream.next('runs')).data).toEqual(ofOne)
    await send('PATCH', `/v1/runs/${id}`, { status: 'completed' })
    expect((await stream.next('runs')).data).toEqual(ofOne)
    await send('DELETE', `/v1/runs/${id}`)
    expect((await stream.next('runs')).data).toEqual(ofOne)
  })

  it('names the runs of a milestone that is deleted', async () => {
    const { project, path, send, open } = await makeProjectWithStream()
    const milestone = await makeMilestone(server, project)
    const run = await makeRun(server, project, { milestone_id: milestone.id })
    const stream = await open()
    await send('DELETE', `${path}/milestones/${milestone.id}`)
    expect((await stream.next('runs')).data).toEqual({ ids: [run.id], more: false })
  })

  it('sends the counters and the results of all runs', async () => {
    const { project, send, open } = await makeProjectWithStream()
    const { id } = await makeTestCase(server, project)
    const run = await makeRun(server, project)
    const stream = await open()
    await send('PUT', `/v1/runs/${run.id}/results/${id}`, { status: 'passed' })
    expect((await stream.next('run')).data).toMatchObject({ id: run.id, pass_rate: 100 })
    expect((await stream.next('results')).data).toMatchObject({ run_id: run.id, results: [{ test_case_id: id }] })
    expect(stream.events.map(({ name }) => name)).toEqual(['sync', 'run', 'results'])
  })

  it('says that members changed when one joins, gets another role or leaves, and not when the project is renamed', async () => {
    const { project, path, send, open } = await makeProjectWithStream()
    const stream = await open()
    const member = await makeMember(server, project.id, 'viewer')
    expect((await stream.next('members')).data).toEqual({})
    await send('PATCH', path, { name: 'Renamed' })
    await send('PATCH', `${path}/members/${member.id}`, { role: 'member' })
    expect((await stream.next('members')).data).toEqual({})
    await send('DELETE', `${path}/members/${member.id}`)
    expect((await stream.next('members')).data).toEqual({})
    expect(stream.events.filter(({ name }) => name === 'members')).toHaveLength(3)
  })

  it('sends nothing about other projects', async () => {
    const { open, project } = await makeProjectWithStream()
    const stream = await open()
    const other = await makeProject(server)
    await makeTestCases(server, other, 3)
    await makeRun(server, other)
    await makeMilestone(server, project)
    await stream.next('milestones')
    expect(stream.events.map(({ name }) => name)).toEqual(['sync', 'milestones'])
  })

  it('ends when the project is deleted', async () => {
    const { path, send, open } = await makeProjectWithStream()
    const stream = await open()
    await send('DELETE', path)
    await waitUntil(stream.hasEnded, 'the stream has ended')
    expect(stream.status).toBe(200)
  })
})
