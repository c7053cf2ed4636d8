import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeTestCase } from '@caseward/test-support/factories'
import { permute } from '@caseward/test-support/permute'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()
const creating = { create_test_cases: true }
const inFile = (file: string, name: string, fields: object = {}) =>
  makeTest(name, ['passed'], { suite: file, file, ...fields })

describe('the identity of tests whose titles differ only in separators', () => {
  const rows = ['//a.test', '///a.test', '/\t//a.test'].map((row) => `hasProtocol > ${row}`)

  it('is their titles as written: each is a test and a test case of its own', async () => {
    const { uploadTests, listTests } = await makeTestsScenario(server)
    const { body } = await uploadTests(
      rows.map((name) => makeTest(name)),
      creating,
    )
    expect(body.tests).toMatchObject({ total: 3, created: 3, repeated: 0 })
    const tests = (await listTests()).data
    expect(tests.map(({ variant }) => variant)).toEqual(['', '', ''])
    expect(new Set(tests.flatMap(({ test_case_ids: ids }) => ids)).size).toBe(3)
  })

  it('does not depend on which of them are in the upload, nor on their order', async () => {
    const { project, uploadTests, makeRunByKey, listRunTests } = await makeTestsScenario(server)
    await uploadTests(
      rows.map((name) => makeTest(name)),
      creating,
    )
    const { id } = await makeRunByKey('build 2')
    const { body } = await uploadTests([makeTest(rows[2] ?? ''), makeTest(rows[1] ?? '', ['failed'])], {
      run_id: id,
      ...creating,
    })
    expect(body.tests).toMatchObject({ matched: 2, created: 0 })
    const outcomes = (await listRunTests('', id)).data.map(({ name, outcome }) => [name, outcome])
    expect(Object.fromEntries(outcomes)).toEqual({ [rows[1] ?? '']: 'failed', [rows[2] ?? '']: 'passed' })
    await expectCorrectCounters(server, project.id)
  })

  it('leads to a test case of its own when one is added later', async () => {
    const { uploadTests } = await makeTestsScenario(server)
    const [first = '', second = '', third = ''] = rows
    await uploadTests([makeTest(first), makeTest(second)], creating)
    const { body } = await uploadTests(
      [first, second, third].map((name) => makeTest(name)),
      creating,
    )
    expect(body.tests).toMatchObject({ matched: 3, created: 1 })
  })

  it('is kept for tests that an earlier version numbered', async () => {
    const { project, uploadTests, listTests } = await makeTestsScenario(server)
    await uploadTests(rows.map((name) => makeTest(name)))
    const before = new Map((await listTests()).data.map(({ id, name }) => [name, id]))
    for (const [index, name] of rows.entries()) {
      const variant = index === 0 ? '' : `#${index + 1}`
      await server.db
        .updateTable('tests')
        .set({ variant })
        .where('project_id', '=', project.id)
        .where('name', '=', name)
        .execute()
    }
    await uploadTests([makeTest(rows[2] ?? ''), makeTest(rows[1] ?? '')])
    expect(new Map((await listTests()).data.map(({ id, name }) => [name, id]))).toEqual(before)
  })
})

describe('the identity of tests in modules', () => {
  it('differs where modules are known and files are not', async () => {
    const { uploadTests, listTests } = await makeTestsScenario(server)
    const test = makeTest('loads', ['passed'], { suite: 'demo.AppTests', file: '' })
    for (const module of ['orders', 'payments', 'orders', './payments/']) await uploadTests([test], { module })
    expect((await listTests()).data.map(({ module }) => module)).toEqual(['orders', 'payments', './payments/'])
  })

  it('differs for files of the same name relative to two modules, and is the same for one from the root', async () => {
    const { uploadTests, listTests } = await makeTestsScenario(server)
    await uploadTests([inFile('src/index.test.js', 'exports')], { module: 'packages/cart' })
    await uploadTests([inFile('src/index.test.js', 'exports')], { module: 'packages/pay' })
    await uploadTests([inFile('packages/pay/src/index.test.js', 'exports')], { module: '.' })
    expect((await listTests()).data.map(({ module }) => module)).toEqual(['packages/cart', 'packages/pay'])
  })

  it('of a test that an earlier version stored is taken over by the first that fits', async () => {
    const { uploadTests, listTests } = await makeTestsScenario(server)
    const test = makeTest('loads', ['passed'], { suite: 'demo.AppTests', file: '' })
    await uploadTests([test])
    const [known] = (await listTests()).data
    await uploadTests([test], { module: 'orders' })
    await uploadTests([test], { module: 'payments' })
    await uploadTests([test])
    const tests = (await listTests()).data
    expect(tests.map(({ module }) => module).slice(0, 2)).toEqual(['orders', 'payments'])
    expect(tests[0]?.id).toBe(known?.id)
  })
})

describe('the identity of tests of jobs with and without a variant in one build', () => {
  const jobs = {
    unit: { job: 'unit', label: 'linux', build_attempt: 1 },
    windows: { job: 'matrix', label: 'windows', build_attempt: 1, variant: 'windows' },
    macos: { job: 'matrix', label: 'macos', build_attempt: 1, variant: 'macos' },
  }
  const orders = [...permute(['unit', 'windows', 'macos'] as const)]

  it.each(orders)(
    'differs in the first build and the next, and a rerun finds it again: %s, %s, %s',
    async (...order) => {
      const { uploadTests, makeRunByKey, listRunTests } = await makeTestsScenario(server)
      const known = await makeRunByKey('before jobs had names')
      await uploadTests([makeTest('pays')], { run_id: known.id })
      for (const build of ['first', 'second']) {
        const { id: run_id } = await makeRunByKey(build)
        for (const job of order) await uploadTests([makeTest('pays', ['failed'])], { run_id, ...jobs[job] })
        await uploadTests([makeTest('pays')], { run_id, ...jobs.unit, build_attempt: 2 })
        const tests = (await listRunTests('', run_id)).data
        const outcomes = tests.map(({ variant, outcome, is_flaky: isFlaky }) => [variant, outcome, isFlaky])
        expect(Object.fromEntries(outcomes.map(([variant, ...outcome]) => [variant, outcome]))).toEqual({
          '': ['passed', true],
          macos: ['failed', false],
          windows: ['failed', false],
        })
        expect(outcomes).toHaveLength(3)
      }
    },
  )

  it('is the same for a script that runs failed tests of any variant again', async () => {
    const { uploadTests, listRunTests } = await makeTestsScenario(server)
    await uploadTests([makeTest('pays', ['failed'])], jobs.windows)
    await uploadTests([makeTest('pays')], { job: 'again', rerun: true })
    expect((await listRunTests()).data).toMatchObject([{ variant: 'windows', outcome: 'passed', is_flaky: true }])
  })
})

describe('titles that are in two files, and a report without files', () => {
  const suite = (titles: readonly string[]) =>
    `<testsuite>${titles.map((title) => `<testcase classname="${title}" name="${title}"/>`).join('')}</testsuite>`

  async function makeFiles(...titles: string[][]) {
    const scenario = await makeTestsScenario(server)
    const tests = titles.flatMap((names, index) => names.map((name) => inFile(`test/${index}.test.js`, name)))
    await scenario.uploadTests(tests, creating)
    const sendXml = (xml: string) =>
      server.request<Awaited<ReturnType<typeof scenario.upload>>['body']>(
        'POST',
        `/v1/results?run_id=${scenario.run.id}&create_test_cases=true`,
        { token: scenario.ci, body: xml, headers: { 'content-type': 'application/xml' } },
      )
    return { ...scenario, sendXml }
  }

  it('are told apart by the other tests of their suites', async () => {
    const { sendXml, listTests } = await makeFiles(['a', 'throws'], ['b', 'throws'])
    const { status, body } = await sendXml(
      `<testsuites>${suite(['b', 'throws'])}${suite(['a', 'throws'])}</testsuites>`,
    )
    expect([status, body.tests]).toMatchObject([200, { total: 4, matched: 4, created: 0 }])
    expect((await listTests()).data).toHaveLength(4)
  })

  it('are ambiguous and get no test case if nothing tells them apart', async () => {
    const { sendXml } = await makeFiles(['a', 'throws'], ['b', 'throws'])
    for (let upload = 0; upload < 2; upload++) {
      const { status, body } = await sendXml(suite(['throws']))
      expect([status, body.tests, body.errors]).toMatchObject([
        207,
        { matched: 0, created: 0 },
        [{ test_case_id: 'throws > throws', code: 'ambiguous' }],
      ])
    }
  })
})

describe('the automation keys of created test cases', () => {
  it('contain the file or suite, so that shards create the same as the whole suite', async () => {
    const whole = await makeTestsScenario(server)
    const sharded = await makeTestsScenario(server)
    const tests = [inFile('a.test.js', 'throws'), inFile('b.test.js', 'throws'), inFile('', 'alone')]
    await whole.uploadTests(tests, creating)
    for (const test of tests) await sharded.uploadTests([test], creating)
    const readCases = async ({ project, token }: typeof whole) => {
      const { body } = await server.request<{ data: { title: string; automation_keys: string[] }[] }>(
        'GET',
        `/v1/projects/${project.id}/test-cases`,
        { token },
      )
      return Promise.all(
        body.data.map(async (testCase) => {
          const { id } = testCase as unknown as { id: string }
          const one = await server.request<{ data: { title: string; automation_keys: string[] } }>(
            'GET',
            `/v1/projects/${project.id}/test-cases/${id}`,
            { token },
          )
          return [one.body.data.title, one.body.data.automation_keys]
        }),
      )
    }
    const expected = [
      ['throws', ['a.test.js > throws']],
      ['throws', ['b.test.js > throws']],
      ['alone', ['alone']],
    ]
    expect(new Set((await readCases(whole)).map(String))).toEqual(new Set(expected.map(String)))
    expect(new Set((await readCases(sharded)).map(String))).toEqual(new Set(expected.map(String)))
  })

  it('of the title alone match tests of one file, and are ambiguous for another one in a later upload', async () => {
    const { project, uploadTests } = await makeTestsScenario(server)
    await makeTestCase(server, project, { automation_key: 'throws' })
    expect((await uploadTests([inFile('a.test.js', 'throws')])).body.tests).toMatchObject({ matched: 1 })
    const { body } = await uploadTests([inFile('b.test.js', 'throws')])
    expect([body.tests, body.errors]).toMatchObject([{ matched: 0 }, [{ code: 'ambiguous' }]])
    expect((await uploadTests([inFile('a.test.js', 'throws')])).body.tests).toMatchObject({ matched: 1 })
  })
})

describe('an automation key that is a title alone', () => {
  it('matches the tests of two packages that differ in nothing else, of which the worst counts', async () => {
    const { project, uploadTests, getRun } = await makeTestsScenario(server)
    await makeTestCase(server, project, { automation_key: 'Shop > pays' })
    const send = async (module: string, file: string, status: 'passed' | 'failed') => {
      const path = `${module}/${file}`
      return (await uploadTests([makeTest('Shop > pays', [status], { suite: path, file: path })], { module })).body
    }
    expect((await send('packages/cart', 'shop.test.js', 'failed')).tests).toMatchObject({ matched: 1 })
    expect((await send('packages/checkout', 'shop.test.js', 'passed')).tests).toMatchObject({ matched: 1 })
    expect((await send('packages/checkout', 'other.test.js', 'passed')).errors).toMatchObject([{ code: 'ambiguous' }])
    expect((await getRun()).stats).toMatchObject({ failed: 1, passed: 0 })
  })
})

describe('ids of another tool in a test', () => {
  it('are no error, are stored, and the test is matched as if they were not there', async () => {
    const { project, uploadTests } = await makeTestsScenario(server, 1)
    const test = makeTest('WEB-1 pays', ['passed'], { test_case_ids: ['C1050400', 'API-7'] })
    for (let upload = 0; upload < 2; upload++) {
      const { status, body } = await uploadTests([test])
      expect([status, body.tests?.matched]).toEqual([200, 1])
    }
    const readIds = () =>
      server.db.selectFrom('tests').select('foreign_ids').where('project_id', '=', project.id).execute()
    expect(await readIds()).toEqual([{ foreign_ids: ['C1050400', 'API-7'] }])
    await uploadTests([makeTest('WEB-1 pays', ['passed'], { test_case_ids: ['C9'] })])
    expect(await readIds()).toEqual([{ foreign_ids: ['C9'] }])
  })

  it('are an error with the form of this project if no test case has them', async () => {
    const { uploadTests } = await makeTestsScenario(server, 1)
    const { body } = await uploadTests([makeTest('pays', ['passed'], { test_case_ids: ['WEB-77 C1'] })])
    expect(body.errors).toMatchObject([{ test_case_id: 'WEB-77', code: 'not_in_run' }])
  })
})
