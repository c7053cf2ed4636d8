import { makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeStats, makeUploadScenario } from '@caseward/test-support/upload-scenario'
import { describe, expect, it } from 'vitest'

const server = useTestServer()

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
  String.raw`\\101`,
  String.raw`\x41`,
  '\\',
  '\\\\',
  'é',
  "it's 100 %",
]

describe('automation keys', () => {
  it('of up to 2,000 characters are different if any character differs, and match the tests of an upload', async () => {
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
