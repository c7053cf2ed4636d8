import type { ChangedTestCaseProblem, TestCase } from '@caseward/contract/test-case-schemas'
import { describe, expect, it } from 'vitest'

import { makeFolder, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'

const server = useSharedServer()

async function makeScenario() {
  const project = await makeProject(server)
  const { token } = project.admin
  const { id } = await makeTestCase(server, project)
  const path = `/v1/projects/${project.id}/test-cases/${id}`
  const send = (method: string, body: object | undefined, ifMatch: string, sender = token) =>
    server.request<ChangedTestCaseProblem & { data: TestCase }>(method, path, {
      token: sender,
      headers: { 'if-match': ifMatch },
      ...(body === undefined ? {} : { body }),
    })
  const read = async () => (await server.request<{ data: TestCase }>('GET', path, { token })).body.data
  return { project, token, path, send, read }
}

const UNKNOWN_VERSIONS = ['"0"', '"2"', '"99999999999999999999"']
const MALFORMED = ['1', '"1', '"one"', 'W/"1"', '"1", "2"', '']

describe.each(['PATCH', 'PUT'])('%s of a test case with If-Match', (method) => {
  it('changes the test case and counts its version up when the version is the current one', async () => {
    const { send, read } = await makeScenario()
    expect(await send(method, { title: 'One' }, '"1"')).toMatchObject({ status: 200, body: { data: { version: 2 } } })
    expect(await send(method, { title: 'Two' }, '"2"')).toMatchObject({ status: 200, body: { data: { version: 3 } } })
    expect(await read()).toMatchObject({ title: 'Two', version: 3 })
  })

  it('returns 412 with the test case as it is and who changed it, and changes nothing', async () => {
    const { project, send, read } = await makeScenario()
    const ada = await makeMember(server, project.id, 'member')
    await send(method, { title: 'By someone else' }, '"1"', ada.token)
    const current = await read()
    const { status, body } = await send(method, { title: 'Mine', priority: 'low' }, '"1"')
    expect({ status, code: body.code }).toEqual({ status: 412, code: 'changed_meanwhile' })
    expect(body.current).toEqual(current)
    expect(body.changed_by).toMatchObject({ id: ada.id, name: expect.stringMatching(/^Person/) })
    expect(await read()).toEqual(current)
  })

  it('returns 412 before it moves the test case to another folder', async () => {
    const { project, token, send, read } = await makeScenario()
    const folder = await makeFolder(server, project)
    expect((await send(method, { folder_id: folder.id }, '"7"')).status).toBe(412)
    expect(await read()).toMatchObject({ folder_id: null, version: 1 })
    const folders = await server.request('GET', `/v1/projects/${project.id}/folders`, { token })
    expect(folders.body['data']).toMatchObject([{ test_case_count: 0 }])
  })

  it('counts a move to another folder together with other fields as one version', async () => {
    const { project, send } = await makeScenario()
    const folder = await makeFolder(server, project)
    const { body } = await send(method, { folder_id: folder.id, title: 'Moved' }, '"1"')
    expect(body.data).toMatchObject({ folder_id: folder.id, version: 2 })
  })

  it.each(UNKNOWN_VERSIONS)('returns 412 for the version %s, which the test case never had', async (version) => {
    const { send } = await makeScenario()
    const { status, body } = await send(method, { title: 'Mine' }, version)
    expect([status, body.changed_by]).toEqual([412, null])
  })

  it.each(MALFORMED)('returns 400 for the malformed header %j', async (header) => {
    const { token, path } = await makeScenario()
    const options = { token, body: { title: 'x' }, headers: { 'if-match': header } }
    const problem = await server.expectProblem(400, method, path, options)
    expect(problem.errors).toEqual([
      { path: '/if-match', message: 'must be the version in double quotes, such as "7", or *' },
    ])
  })

  it('makes the change whatever the version is, with an asterisk and without the header', async () => {
    const { send, token, path } = await makeScenario()
    expect((await send(method, { title: 'One' }, '*')).status).toBe(200)
    expect((await server.request(method, path, { token, body: { title: 'Two' } })).status).toBe(200)
  })

  it('lets exactly one of twenty changes at the same time succeed that are based on one version', async () => {
    const { project, send, read } = await makeScenario()
    const folder = await makeFolder(server, project)
    const changes = Array.from({ length: 20 }, (_, index) => ({
      title: `Title ${index}`,
      ...(index % 2 === 0 ? { folder_id: folder.id } : {}),
    }))
    const responses = await Promise.all(changes.map((change) => send(method, change, '"1"')))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 412)).toHaveLength(19)
    expect(await read()).toMatchObject({ version: 2, title: `Title ${statuses.indexOf(200)}` })
  })
})

describe('changes of a test case at the same time without If-Match', () => {
  it('are all counted by the version', async () => {
    const { token, path, read } = await makeScenario()
    const titles = Array.from({ length: 15 }, (_, index) => `Title ${index}`)
    await Promise.all(titles.map((title) => server.request('PATCH', path, { token, body: { title } })))
    expect((await read()).version).toBe(16)
  })
})

describe('DELETE of a test case with If-Match', () => {
  it('returns 412 for an older version, and deletes the current one', async () => {
    const { send, read } = await makeScenario()
    await send('PATCH', { title: 'Changed' }, '"1"')
    const { status, body } = await send('DELETE', undefined, '"1"')
    expect([status, body.current]).toEqual([412, await read()])
    expect((await send('DELETE', undefined, '"2"')).status).toBe(200)
    expect((await send('DELETE', undefined, '"2"')).status).toBe(404)
  })

  it.each(MALFORMED)('returns 400 for the malformed header %j, and deletes nothing', async (header) => {
    const { send, read } = await makeScenario()
    expect((await send('DELETE', undefined, header)).status).toBe(400)
    expect((await read()).version).toBe(1)
  })
})
