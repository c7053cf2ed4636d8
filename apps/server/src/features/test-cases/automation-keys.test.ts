import { makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { makeStats, makeUploadScenario } from '@caseward/test-support/upload-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

/** A text of characters of four bytes each that cannot be compressed, as the text of an index entry can. */
function makeIncompressibleText(length: number): string {
  let state = 1
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCodePoint(0x2_0000 + (state % 40_000))
  }).join('')
}

/** Keys that are nearly equal, or that look like escape sequences of bytes. */
const keys = [
  makeIncompressibleText(2000),
  `${makeIncompressibleText(1999)}a`,
  `${makeIncompressibleText(1999)}b`,
  'x'.repeat(2000),
  'A',
  String.raw`\101`,
  String.raw`\x41`,
  'é',
  "it's 100 %",
]

describe('automation keys', () => {
  it('of up to 2,000 characters are different if any character besides separators differs, and match the tests of an upload', async () => {
    const { project, run, token, upload, results } = await makeUploadScenario(server, 0)
    const ids: string[] = []
    for (const automation_key of keys) ids.push((await makeTestCase(server, project, { automation_key })).id)
    await server.request('POST', `/v1/runs/${run.id}/test-cases`, { token, body: { test_case_ids: ids } })
    const items = keys.map((key, index) => ({ test_case_id: key, status: 'passed', note: `${index}` }))
    const unknown = [`${'x'.repeat(2000)}x`, 'x'.repeat(1999)].map((key) => ({ test_case_id: key, status: 'passed' }))
    const { body } = await upload({ results: [...items, ...unknown] })
    expect([body.stats, body.failed_count]).toEqual([makeStats({ passed: keys.length }), 2])
    const notes = [...(await results()).values()].map(({ note }) => note)
    expect(notes).toEqual(keys.map((_, index) => `${index}`))
  })

  it('match the tests of a JUnit report', async () => {
    const { project, run, token, uploadXml, results } = await makeUploadScenario(server, 0)
    const [classname, name] = [makeIncompressibleText(999), makeIncompressibleText(1000)]
    const { id } = await makeTestCase(server, project, { automation_key: `${classname}.${name}` })
    await server.request('POST', `/v1/runs/${run.id}/test-cases`, { token, body: { test_case_ids: [id] } })
    await uploadXml(`<testsuite><testcase classname="${classname}" name="${name}"/></testsuite>`)
    expect((await results()).get(id)?.status).toBe('passed')
  })

  it.each(keys.map((key, index) => [index, key.length, key] as const))(
    'are refused with 409 when they are used already: key %i of %i UTF-16 units',
    async (_index, _length, automation_key) => {
      const project = await makeProject(server)
      const path = `/v1/projects/${project.id}/test-cases/bulk`
      const test_cases = [{ title: 'other' }, { title: 'same', automation_key }]
      await makeTestCase(server, project, { automation_key })
      const options = { token: project.admin.token, body: { test_cases } }
      const problem = await server.expectProblem(409, 'POST', path, options)
      expect(problem).toMatchObject({
        code: 'automation_key_taken',
        errors: [{ path: '/test_cases/1/automation_key' }],
      })
    },
  )
})

describe('several automation keys', () => {
  it('are returned in their order, each once, with the first as automation_key', async () => {
    const project = await makeProject(server)
    const { token } = project.admin
    const sent = ['Cart > pays', 'pays', 'Cart › pays', ' pays. ']
    const { id } = await makeTestCase(server, project, { automation_keys: sent })
    const path = `/v1/projects/${project.id}/test-cases`
    const { body } = await server.request('GET', `${path}/${id}`, { token })
    expect(body['data']).toMatchObject({ automation_key: 'Cart > pays', automation_keys: ['Cart > pays', 'pays'] })
    const list = await server.request('GET', `${path}?fields=all`, { token })
    expect(list.body['data']).toMatchObject([{ automation_keys: ['Cart > pays', 'pays'] }])
  })

  it('are replaced by automation_keys, only the first by automation_key, and removed by null', async () => {
    const project = await makeProject(server)
    const { token } = project.admin
    const { id } = await makeTestCase(server, project, { automation_keys: ['a', 'b'] })
    const path = `/v1/projects/${project.id}/test-cases/${id}`
    const change = async (body: object) => (await server.request('PATCH', path, { token, body })).body['data']
    expect(await change({ automation_key: 'c' })).toMatchObject({ automation_key: 'c', automation_keys: ['c', 'b'] })
    expect(await change({ automation_keys: ['b', 'a'] })).toMatchObject({ automation_keys: ['b', 'a'] })
    expect(await change({ automation_key: null })).toMatchObject({ automation_key: null, automation_keys: [] })
    await makeTestCase(server, project, { automation_keys: ['a', 'b', 'c'] })
  })

  it('are refused with 409 and their position when another test case has one of them', async () => {
    const project = await makeProject(server)
    const { token } = project.admin
    await makeTestCase(server, project, { automation_keys: ['a', 'Cart > pays'] })
    const path = `/v1/projects/${project.id}/test-cases`
    const body = { title: 'other', automation_keys: ['b', 'Cart.pays'] }
    const problem = await server.expectProblem(409, 'POST', path, { token, body })
    expect(problem.errors).toEqual([{ path: '/automation_keys/1', message: expect.any(String) }])
    const { id } = await makeTestCase(server, project, { automation_keys: ['b'] })
    const update = await server.expectProblem(409, 'PATCH', `${path}/${id}`, { token, body })
    expect(update.errors).toEqual([{ path: '/automation_keys/1', message: expect.any(String) }])
  })

  it.each([
    [{ automation_keys: Array.from({ length: 21 }, (_, index) => `key ${index}`) }, '/automation_keys'],
    [{ automation_keys: ['a', ' > '] }, '/automation_keys/1'],
    [{ automation_key: '\\' }, '/automation_key'],
    [{ automation_key: 'a', automation_keys: ['b'] }, '/automation_key'],
  ])('are refused with 400 and the field for %j', async (fields, path) => {
    const project = await makeProject(server)
    const options = { token: project.admin.token, body: { title: 'x', ...fields } }
    const problem = await server.expectProblem(400, 'POST', `/v1/projects/${project.id}/test-cases`, options)
    expect(problem.errors?.map((error) => error.path)).toEqual([path])
  })

  it('end the links that they have made when they are removed', async () => {
    const { project, token, uploadTests, listTests } = await makeTestsScenario(server)
    const { id } = await makeTestCase(server, project, { automation_keys: ['pays', 'ships'] })
    await uploadTests([makeTest('pays'), makeTest('ships')])
    const path = `/v1/projects/${project.id}/test-cases/${id}`
    await server.request('PATCH', path, { token, body: { automation_keys: ['ships'] } })
    expect((await listTests()).data.map(({ linked_by }) => linked_by)).toEqual([null, null])
    await uploadTests([makeTest('pays'), makeTest('ships')])
    expect((await listTests()).data.map(({ linked_by }) => linked_by)).toEqual([null, 'key'])
  })
})
