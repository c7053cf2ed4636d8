import { readFile } from 'node:fs/promises'

import { makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeStats, makeUploadScenario } from '@caseward/test-support/upload-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

const fixtures = new URL('../../../../../packages/junit/test/fixtures/', import.meta.url)

/** Reports in which tests of the same name stand in two suites, one of which failed. */
const reports = [
  'playwright-two-projects.xml',
  'node-test-same-titles.xml',
  'saucelabs-two-browsers.xml',
  'phpunit-two-suites.xml',
]

describe('POST /v1/results with a JUnit report that contains a test in two suites', () => {
  it.each(reports)('stores failed when the test failed in one of them: %s', async (file) => {
    const { uploadXml, results } = await makeUploadScenario(server, 1)
    const { status, body } = await uploadXml(await readFile(new URL(file, fixtures)))
    expect([status, body.stats]).toEqual([200, makeStats({ failed: 1 })])
    expect((await results()).get('WEB-1')).toMatchObject({
      status: 'failed',
      note: expect.not.stringContaining('Flaky'),
    })
  })

  // In node-test-same-titles.xml, the suites are blocks, not variants.
  const ambiguous = 'node-test-same-titles.xml'

  it('returns the error ambiguous for the automation key of tests in two blocks', async () => {
    const { project, uploadXml } = await makeUploadScenario(server, 0)
    const xml = (await readFile(new URL(ambiguous, fixtures), 'utf8')).replaceAll(/WEB[-_]1/gi, 'key')
    const name = /<testcase name="([^"]*)"/.exec(xml)?.[1] ?? ''
    await makeTestCase(server, project, { automation_key: name })
    const { body } = await uploadXml(xml)
    expect(new Set(body.errors?.map(({ code }) => code))).toEqual(new Set(['ambiguous']))
  })

  it.each(reports.filter((file) => file !== ambiguous))(
    'stores failed for a test case with the automation key of the test: %s',
    async (file) => {
      const { project, run, token, uploadXml, results } = await makeUploadScenario(server, 0)
      const xml = (await readFile(new URL(file, fixtures), 'utf8')).replaceAll(/WEB[-_]1/gi, 'key')
      const name = /<testcase name="([^"]*)"/.exec(xml)?.[1] ?? ''
      const { id } = await makeTestCase(server, project, { automation_key: name })
      await server.request('POST', `/v1/runs/${run.id}/test-cases`, { token, body: { test_case_ids: [id] } })
      expect((await uploadXml(xml)).body.stats).toEqual(makeStats({ failed: 1 }))
      expect((await results()).get(id)?.status).toBe('failed')
    },
  )
})

describe('POST /v1/results with a JUnit report that contains a test twice in one suite', () => {
  it('stores passed with a note that the test is flaky when an attempt passed', async () => {
    const { uploadXml, results } = await makeUploadScenario(server, 1)
    const { status, body } = await uploadXml(await readFile(new URL('gradle-retry.xml', fixtures)))
    expect([status, body.stats]).toEqual([200, makeStats({ passed: 1 })])
    expect((await results()).get('WEB-1')?.note).toMatch(/^Flaky: passed after 1 of 2 attempts failed\./)
  })
})

describe('POST /v1/results with a JUnit test that has more than 200 test case ids', () => {
  it('returns 207 with the error too_many_ids, and stores the result of the first 200', async () => {
    const { uploadXml, results } = await makeUploadScenario(server, 202)
    const ids = Array.from({ length: 202 }, (_, index) => `WEB-${index + 1}`).join(' ')
    const { status, body } = await uploadXml(`<testsuite><testcase classname="all" name="${ids}"/></testsuite>`)
    expect([status, body.uploaded_count, body.errors]).toEqual([
      207,
      200,
      [{ test_case_id: `all > ${ids}`, error: expect.stringContaining('more than 200'), code: 'too_many_ids' }],
    ])
    const stored = await results()
    expect([stored.get('WEB-200')?.status, stored.get('WEB-201')?.status]).toEqual(['passed', 'not_tested'])
  })
})
