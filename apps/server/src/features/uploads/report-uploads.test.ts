import { expectCorrectCounters } from '@caseward/test-support/counters'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { expect, it } from 'vitest'

const server = useSharedServer()

it('stores the reports that a person uploads, and creates test cases only if asked to', async () => {
  const { project, run, getRun, listRunTests } = await makeTestsScenario(server, 1)
  const upload = async (xml: string, fields: object = {}) => {
    const { status, body } = await server.request<{ tests?: object; errors?: object[] }>(
      'POST',
      `/v1/runs/${run.id}/reports`,
      {
        token: project.admin.token,
        body: { reports: [{ path: 'junit.xml', junit_xml: xml }], ...fields },
      },
    )
    return { status, tests: body.tests, errors: body.errors }
  }
  const xml = `<testsuite name="Checkout"><testcase name="${project.prefix}-1 pays by card"><failure/></testcase><testcase name="refunds"/></testsuite>`
  expect(await upload(xml)).toMatchObject({ status: 200, tests: { total: 2, matched: 1, unmatched: 1, created: 0 } })
  expect((await getRun()).stats.failed).toBe(1)
  expect(await upload(xml, { create_test_cases: true })).toMatchObject({ status: 200, tests: { created: 1 } })
  expect((await listRunTests()).data).toHaveLength(2)
  expect(await upload('<html>')).toMatchObject({ status: 207, errors: [{ code: 'invalid_junit_xml' }] })
  await expectCorrectCounters(server, project.id)
})
