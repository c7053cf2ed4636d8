import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

const makeReport = (classname: string, names: readonly string[], failed: readonly string[] = []) =>
  `<testsuite name="${classname}">${names
    .map(
      (name) =>
        `<testcase classname="${classname}" name="${name}">${failed.includes(name) ? '<failure/>' : ''}</testcase>`,
    )
    .join('')}</testsuite>`

/** A scenario with a function that uploads JUnit reports. */
async function makeReportsScenario(cases = 0) {
  const scenario = await makeTestsScenario(server, cases)
  const { run, ci, listRunTests, listTests } = scenario
  return {
    ...scenario,
    send: (fields: object) =>
      server.request<Awaited<ReturnType<typeof scenario.upload>>['body']>('POST', '/v1/results', {
        token: ci,
        body: { run_id: run.id, ...fields },
      }),
    sendXml: (xml: string, query = '') =>
      server.request<Awaited<ReturnType<typeof scenario.upload>>['body']>(
        'POST',
        `/v1/results?run_id=${run.id}${query}`,
        { token: ci, body: xml, headers: { 'content-type': 'application/xml' } },
      ),
    readOutcomes: async () =>
      (await listRunTests()).data.map(({ name, variant, module, outcome }) => [name, variant, module, outcome]),
    readFiles: async () => (await listTests()).data.map(({ suite, name, file }) => [suite, name, file]),
  }
}

describe('POST /v1/results with several reports', () => {
  const maven = (module: string, xml: string) => ({
    path: `${module}/target/surefire-reports/TEST-a.xml`,
    junit_xml: xml,
  })

  it('stores them in one transaction, and tells tests of the same names in two modules apart', async () => {
    const { project, send, readOutcomes, getRun } = await makeReportsScenario()
    await makeTestCase(server, project, { automation_key: 'demo.AppTests.loads' })
    const reports = [
      maven('orders', makeReport('demo.AppTests', ['loads'], ['loads'])),
      maven('payments', makeReport('demo.AppTests', ['loads', 'pays'])),
    ]
    const { status, body } = await send({ reports })
    expect([status, body.reports]).toEqual([
      200,
      reports.map(({ path }, index) => ({ path, tests: index + 1, error: null })),
    ])
    expect(body.tests).toMatchObject({ total: 3, matched: 2, repeated: 0 })
    const outcomes = [
      ['loads', '', 'orders', 'failed'],
      ['loads', '', 'payments', 'passed'],
      ['pays', '', 'payments', 'passed'],
    ]
    expect(await readOutcomes()).toEqual(outcomes)
    expect((await getRun()).stats).toMatchObject({ failed: 1, passed: 0 })
    await send({ reports: reports.toReversed() })
    for (const report of reports) await send({ reports: [report] })
    expect(await readOutcomes()).toEqual(outcomes)
    await expectCorrectCounters(server, project.id)
  })

  it('stores the others when one cannot be read, and returns 207 with its path', async () => {
    const { send, readOutcomes } = await makeReportsScenario()
    const path = 'broken/junit.xml'
    const { status, body } = await send({
      reports: [{ path, junit_xml: '<testsuite>' }, maven('orders', makeReport('A', ['a']))],
    })
    expect(status).toBe(207)
    expect(body.reports).toMatchObject([
      { path, tests: 0, error: expect.stringContaining('truncated') },
      { error: null },
    ])
    expect(body.errors).toMatchObject([{ test_case_id: path, code: 'invalid_junit_xml' }])
    expect(await readOutcomes()).toEqual([['a', '', 'orders', 'passed']])
  })

  it('numbers the tests of a report that is there twice, so that the pass of one hides no failure', async () => {
    const { project, send, getRun, readOutcomes } = await makeReportsScenario()
    await makeTestCase(server, project, { automation_key: 'A.a' })
    const { body } = await send({
      reports: [maven('orders', makeReport('A', ['a'], ['a'])), maven('orders', makeReport('A', ['a']))],
    })
    expect(body.tests).toMatchObject({ total: 2, repeated: 1 })
    expect((await readOutcomes()).map(([, variant, , outcome]) => [variant, outcome])).toEqual([
      ['', 'failed'],
      ['#2', 'passed'],
    ])
    expect((await getRun()).stats.failed).toBe(1)
  })

  it('stores the same test in two report files of a directory as parts of one test, of which the worst counts', async () => {
    const { project, send, getRun, getRunTest, listRunTests, readOutcomes } = await makeReportsScenario()
    await makeTestCase(server, project, { automation_key: 'A.a' })
    const toReport = (browser: string, xml: string) => ({ path: `web/reports/${browser}.xml`, junit_xml: xml })
    const reports = [
      toReport('chrome', makeReport('A', ['a', 'a'])),
      toReport('firefox', makeReport('A', ['a', 'b'], ['a'])),
    ]
    const dryRun = await send({ reports, dry_run: true })
    expect((await send({ reports })).body.tests).toMatchObject({ total: 3, matched: 2, repeated: 1 })
    expect(dryRun.body.tests).toMatchObject({ total: 3, matched: 2, repeated: 1 })
    const expected = [
      ['a', '', 'web', 'failed'],
      ['a', '#2', 'web', 'passed'],
      ['b', '', 'web', 'passed'],
    ]
    expect(await readOutcomes()).toEqual(expected)
    await send({ reports: reports.toReversed() })
    for (const report of reports) await send({ reports: [report] })
    expect(await readOutcomes()).toEqual(expected)
    const { data } = await listRunTests()
    const { parts } = await getRunTest(data[0]?.id ?? '')
    expect(parts.map(({ report, outcome }) => [report, outcome])).toEqual([
      ['web/reports/chrome.xml', 'passed'],
      ['web/reports/firefox.xml', 'failed'],
    ])
    expect((await getRun()).stats).toMatchObject({ failed: 1 })
    await send({ reports: [toReport('firefox', makeReport('A', ['a', 'b']))] })
    expect((await getRun()).stats).toMatchObject({ failed: 0, passed: 1 })
    await expectCorrectCounters(server, project.id)
  })

  it('removes the root from the paths of reports', async () => {
    const { send, readOutcomes } = await makeReportsScenario()
    const path = String.raw`C:\ci\shop\packages\cart\reports\junit.xml`
    await send({ root: String.raw`C:\ci\shop`, reports: [{ path, junit_xml: makeReport('A', ['a']) }] })
    expect(await readOutcomes()).toEqual([['a', '', 'packages/cart', 'passed']])
  })

  it.each([
    [{ reports: [{ path: '', junit_xml: '' }] }, '/reports/0/path'],
    [{ reports: [{ path: 'a.xml' }] }, '/reports/0/junit_xml'],
    [{ reports: [], junit_xml: '<testsuite/>' }, '/reports'],
    [{ equal_names: 'maybe', junit_xml: '<testsuite/>' }, '/equal_names'],
    [{ root: 'x'.repeat(5000), junit_xml: '<testsuite/>' }, '/root'],
  ])('returns 400 with the field for invalid fields %#', async (fields, path) => {
    const { send } = await makeReportsScenario()
    const { status, body } = await send(fields)
    const { errors } = body as unknown as { errors: { path: string }[] }
    expect([status, errors.map((error) => error.path)]).toEqual([400, [path]])
  })
})

describe('POST /v1/results with a report from a checkout directory', () => {
  const bats = (root: string, separator = '/') => {
    const [suite, data, file] = ['total.bats', 'a.csv', `test${separator}total.bats`].map(
      (path) => root + separator + path,
    )
    return `<testsuite name="${suite}"><testcase classname="${suite}" name="reads ${data}" file="${file}"/></testsuite>`
  }

  it('recognizes its tests in another directory by the root, and stores no path that begins with it', async () => {
    const { sendXml, send, readFiles } = await makeReportsScenario()
    for (const root of ['/agent-1/builds/4711/shop', '/agent-2/builds/0815/shop']) {
      await sendXml(bats(root), `&root=${encodeURIComponent(root)}`)
    }
    await send({ root: 'D:/a/shop', junit_xml: bats('D:/a/shop') })
    const windows = String.raw`D:\a\shop`
    await send({ root: windows, junit_xml: bats(windows, '\\') })
    expect(await readFiles()).toEqual([['total.bats', 'reads a.csv', 'test/total.bats']])
  })

  it('recognizes its tests without a root by the directory that all paths share', async () => {
    const { sendXml, readFiles } = await makeReportsScenario()
    const mocha = (root: string) =>
      `<testsuite name="Mocha Tests">${['test/a.js', 'lib/b.js']
        .map((file) => `<testcase classname="cart" name="adds" file="${root}/${file}"/>`)
        .join('')}</testsuite>`
    await sendXml(mocha('/agent-1/shop'))
    await sendXml(mocha('/agent-2/shop'))
    expect((await readFiles()).map(([, , file]) => file)).toEqual(['test/a.js', 'lib/b.js'])
  })

  it('recognizes tests whose absolute paths were stored by an earlier version', async () => {
    const { project, sendXml, listTests } = await makeReportsScenario()
    await sendXml(bats('/agent-1/shop'), '&root=/agent-1/shop')
    const [test] = (await listTests()).data
    // As earlier versions stored it: with the directory in all its texts.
    await server.db
      .updateTable('tests')
      .set({
        suite: '/old/shop/total.bats',
        name: 'reads /old/shop/a.csv',
        file: '/old/shop/test/total.bats',
        title_key: 'x',
      })
      .where('project_id', '=', project.id)
      .execute()
    await sendXml(bats('/old/shop'), '&root=/old/shop')
    const found = (await listTests()).data
    expect(found.map(({ id, file }) => [id, file])).toEqual([[test?.id, 'test/total.bats']])
  })
})

describe('POST /v1/results with tests of equal names in one suite', () => {
  const xml = `<testsuite name="Cart">${['', '<failure/>', ''].map((content) => `<testcase classname="Cart" name="accepts">${content}</testcase>`).join('')}</testsuite>`
  const retried = `<testsuite name="Cart"><testcase classname="Cart" name="pays"><failure/></testcase><testcase classname="Cart" name="pays"/></testsuite>`

  it('stores them as numbered tests that share a test case, of which the worst counts', async () => {
    const { project, sendXml, readOutcomes, getRun } = await makeReportsScenario()
    await makeTestCase(server, project, { automation_key: 'Cart.accepts' })
    expect((await sendXml(xml)).body.tests).toMatchObject({ total: 3, matched: 3, flaky: 0, repeated: 2 })
    expect(await readOutcomes()).toEqual([
      ['accepts', '', '', 'passed'],
      ['accepts', '#2', '', 'failed'],
      ['accepts', '#3', '', 'passed'],
    ])
    expect((await getRun()).stats.failed).toBe(1)
  })

  it('are the tests that a reporter numbers, whichever of the two came first', async () => {
    const { uploadTests, sendXml, listTests } = await makeReportsScenario()
    const test = {
      suite: 'cart.test.js',
      file: 'cart.test.js',
      name: 'Cart > accepts',
      attempts: [{ status: 'passed' }],
    }
    await uploadTests([test, test, test])
    await sendXml(xml)
    await uploadTests([test, test, test])
    expect((await listTests()).data.map(({ file, variant }) => [file, variant])).toEqual([
      ['cart.test.js', ''],
      ['cart.test.js', '#2'],
      ['cart.test.js', '#3'],
    ])
  })

  it.each([
    [
      'query',
      (scenario: Awaited<ReturnType<typeof makeReportsScenario>>) => scenario.sendXml(retried, '&equal_names=attempts'),
    ],
    [
      'body',
      (scenario: Awaited<ReturnType<typeof makeReportsScenario>>) =>
        scenario.send({ junit_xml: retried, equal_names: 'attempts' }),
    ],
    [
      'settings of the project',
      async (scenario: Awaited<ReturnType<typeof makeReportsScenario>>) => {
        const { project, token, sendXml } = scenario
        const path = `/v1/projects/${project.id}/run-settings`
        await server.request('PATCH', path, { token, body: { equal_names: 'attempts' } })
        expect((await sendXml(retried, '&equal_names=tests&dry_run=true')).body.tests?.total).toBe(2)
        return await sendXml(retried)
      },
    ],
  ])('are attempts at one test with equal_names in the %s', async (_where, send) => {
    const scenario = await makeReportsScenario()
    expect((await send(scenario)).body.tests).toMatchObject({ total: 1, flaky: 1, repeated: 0 })
  })
})

describe('POST /v1/results with a report that only attributes explain', () => {
  it('counts statuses that are not known, with three examples', async () => {
    const { sendXml, readOutcomes } = await makeReportsScenario()
    const statuses = ['odd', 'odd', 'strange', 'weird', 'new', 'notrun']
    const testcases = statuses.map((status, index) => `<testcase classname="A" name="t${index}" status="${status}"/>`)
    const { status, body } = await sendXml(`<testsuite name="A">${testcases.join('')}</testsuite>`)
    expect([status, body.tests?.unknown_status]).toEqual([
      200,
      { count: 5, examples: ['status="odd"', 'status="strange"', 'status="weird"'] },
    ])
    expect((await readOutcomes()).map(([, , , outcome]) => outcome)).toEqual([...Array(5).fill('passed'), 'skipped'])
  })

  it('returns an error of the suite for failures that are declared and missing, and keeps it with the run', async () => {
    const { sendXml, getRun } = await makeReportsScenario()
    const { status, body } = await sendXml(
      '<testsuite name="A" tests="3" failures="2"><testcase name="a"/></testsuite>',
    )
    expect([status, body.errors?.map(({ code }) => code)]).toEqual([207, ['suite_error']])
    expect((await getRun()).suite_error_count).toBe(1)
  })

  it('returns the text before the XML, which it skips', async () => {
    const { sendXml } = await makeReportsScenario()
    const { status, body } = await sendXml('> shop@1.0.0 test\n<testsuite><testcase name="a"/></testsuite>')
    expect([status, body.tests]).toMatchObject([200, { total: 1, skipped_text: '> shop@1.0.0 test' }])
  })
})
