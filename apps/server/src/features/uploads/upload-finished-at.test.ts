import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { getRunResults, makeRun } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeStats, makeUploadScenario } from '@caseward/test-support/upload-scenario'

const server = useSharedServer()

const makeScenario = (cases?: number) => makeUploadScenario(server, cases)
const [early, noon, evening] = ['2026-01-05T06:00:00.000Z', '2026-01-05T12:00:00.250Z', '2026-01-05T20:00:00.000Z']
const item = (number: number, status = 'passed') => ({ test_case_id: `WEB-${number}`, status })
const junit = (...numbers: number[]) =>
  `<testsuite>${numbers.map((number) => `<testcase name="WEB-${number}"/>`).join('')}</testsuite>`
const newerResultError = (id: string, time: string) => ({
  test_case_id: id,
  error: `${id} has a newer result (${time}), which was kept.`,
  code: 'newer_result',
})

describe('POST /v1/results with finished_at', () => {
  it.each(['JSON', 'JUnit in JSON', 'XML'])('stores it as the time of every stored result: %s', async (format) => {
    const { upload, uploadXml, results } = await makeScenario(2)
    if (format === 'JSON') await upload({ results: [item(1)], finished_at: noon })
    if (format === 'JUnit in JSON') await upload({ junit_xml: junit(1), finished_at: noon })
    if (format === 'XML') await uploadXml(junit(1), `&finished_at=${noon}`)
    expect((await results()).get('WEB-1')).toMatchObject({ status: 'passed', tested_at: noon })
    expect((await results()).get('WEB-2')).toMatchObject({ status: 'not_tested', tested_at: null })
  })

  it.each([
    ['an offset', '2026-01-05T13:30:00.25+01:30', noon],
    ['digits past the millisecond', '2026-01-05T12:00:00.250999999Z', noon],
    ['a date only', '2026-01-05', '2026-01-05T00:00:00.000Z'],
  ])('accepts a time with %s, and stores the same when it is repeated', async (_what, finished_at, tested_at) => {
    const { upload, results } = await makeScenario(1)
    await upload({ results: [item(1)], finished_at })
    const first = await results()
    expect(first.get('WEB-1')).toMatchObject({ tested_at })
    expect((await upload({ results: [item(1)], finished_at })).status).toBe(200)
    expect(await results()).toEqual(first)
  })

  it(
    'keeps a newer result, stores the others, and returns 207 with the time of the newer one',
    { tags: ['spec:upload/207-some-were-stored-and-some-failed'] },
    async () => {
      const { project, upload, results } = await makeScenario(3)
      await upload({ results: [{ ...item(2, 'failed'), note: 'later', elapsed: 7 }], finished_at: evening })
      const before = (await results()).get('WEB-2')
      const { status, body } = await upload({ results: [item(1), item(2), item(3, 'blocked')], finished_at: noon })
      expect([status, body]).toEqual([
        207,
        {
          success: false,
          partial_failure: true,
          uploaded_count: 2,
          failed_count: 1,
          stats: makeStats({ passed: 1, blocked: 1 }),
          errors: [newerResultError('WEB-2', evening)],
        },
      ])
      expect((await results()).get('WEB-2')).toEqual(before)
      expect((await results()).get('WEB-3')).toMatchObject({ status: 'blocked', tested_at: noon })
      await expectCorrectCounters(server, project.id)
    },
  )

  it.each(['PUT', 'POST'])('keeps a result that a user has set later by %s', async (method) => {
    const { project, run, token, upload, results } = await makeScenario(1)
    const [path, body] = method === 'PUT' ? ['WEB-1', { status: 'retest' }] : ['bulk', { results: [item(1, 'retest')] }]
    await server.request(method, `/v1/runs/${run.id}/results/${path}`, { token, body })
    const before = (await results()).get('WEB-1')
    const { status, body: receipt } = await upload({ results: [item(1)], finished_at: noon })
    expect([status, receipt.errors]).toEqual([207, [newerResultError('WEB-1', before?.tested_at ?? '')]])
    expect((await results()).get('WEB-1')).toEqual(before)
    await expectCorrectCounters(server, project.id)
  })

  it('overwrites status, note and elapsed time that a user has set before', async () => {
    const { run, token, upload, results } = await makeScenario(1)
    const body = { status: 'retest', note: 'by hand', elapsed: 9 }
    await server.request('PUT', `/v1/runs/${run.id}/results/WEB-1`, { token, body })
    const finished_at = new Date(Date.now() + 1).toISOString()
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(finished_at))
    expect((await upload({ results: [item(1)], finished_at })).status).toBe(200)
    const overwritten = { status: 'passed', note: null, elapsed: null, tested_by: null, tested_at: finished_at }
    expect((await results()).get('WEB-1')).toMatchObject(overwritten)
  })

  it('stores results that an upload without finished_at overwrites', async () => {
    const { upload, results } = await makeScenario(1)
    await upload({ results: [item(1, 'failed')], finished_at: noon })
    expect((await upload({ results: [item(1)] })).status).toBe(200)
    const result = (await results()).get('WEB-1')
    expect([result?.status, Date.parse(result?.tested_at ?? '') > Date.parse(noon)]).toEqual(['passed', true])
  })

  it(
    'returns and stores the same when the upload is repeated',
    { tags: ['spec:upload/uploads-are-idempotent'] },
    async () => {
      const { project, upload, results } = await makeScenario(3)
      await upload({ results: [item(2)], finished_at: evening })
      const body = { results: [{ ...item(1), note: 'n', elapsed: 1 }, item(2), item(9)], finished_at: noon }
      const first = await upload(body)
      const before = await results()
      expect(await upload(body)).toMatchObject({ status: first.status, body: first.body })
      expect(await results()).toEqual(before)
      await expectCorrectCounters(server, project.id)
    },
  )

  it('stores the current time for a time in the future', async () => {
    const { run, token, upload, results } = await makeScenario(2)
    const inFuture = { results: [item(1), item(2)], finished_at: '2999-01-01T00:00:00Z' }
    expect((await upload(inFuture)).status).toBe(200)
    expect(Date.parse((await results()).get('WEB-1')?.tested_at ?? '')).toBeLessThanOrEqual(Date.now() + 1)
    await server.request('PUT', `/v1/runs/${run.id}/results/WEB-1`, { token, body: { status: 'failed' } })
    expect((await upload(inFuture)).body).toMatchObject({ success: true, uploaded_count: 2 })
    expect((await results()).get('WEB-1')?.status).toBe('passed')
  })

  it('does not treat its own results as newer when it is repeated', async () => {
    const { upload } = await makeScenario(1)
    // The current time, which is a fraction of a millisecond before or after the stored time.
    const inFuture = { results: [item(1), item(9)], finished_at: '2999-01-01T00:00:00Z' }
    for (let time = 1; time <= 10; time += 1) {
      expect((await upload(inFuture)).body).toMatchObject({ uploaded_count: 1, errors: [{ test_case_id: 'WEB-9' }] })
    }
  })

  it('returns errors of newer results in JSON after all others, in the order of the items', async () => {
    const { upload } = await makeScenario(3)
    await upload({ results: [item(1), item(2), item(3)], finished_at: evening })
    const { body } = await upload({ results: [item(3), item(8), item(1), item(9), item(3)], finished_at: noon })
    const ids = body.errors?.map(({ test_case_id, code }) => [test_case_id, code])
    expect([body.uploaded_count, body.failed_count, ids]).toEqual([
      0,
      4,
      [
        ['WEB-8', 'not_in_run'],
        ['WEB-9', 'not_in_run'],
        ['WEB-3', 'newer_result'],
        ['WEB-1', 'newer_result'],
      ],
    ])
  })

  it('returns errors of newer results in JUnit after all others, by case number', async () => {
    const { upload, uploadXml } = await makeScenario(11)
    await upload({ results: [item(11), item(2), item(3)], finished_at: evening })
    const xml = `<testsuites>${junit(3, 11, 2, 1, 99)}<testsuite name="broken"><error message="no"/></testsuite></testsuites>`
    const { status, body } = await uploadXml(xml, `&finished_at=${noon}`)
    expect([status, body.uploaded_count, body.failed_count]).toEqual([207, 1, 5])
    expect(body.errors?.map((error) => error.test_case_id)).toEqual(['WEB-99', 'broken', 'WEB-2', 'WEB-3', 'WEB-11'])
    expect(body.errors?.[2]).toEqual(newerResultError('WEB-2', evening))
  })

  it.each([
    ['JSON', false],
    ['XML', true],
  ])('returns the response of a real upload for a dry run, and stores nothing: %s', async (_what, isXml) => {
    const { project, upload, uploadXml, results } = await makeScenario(3)
    await upload({ results: [item(1, 'failed')], finished_at: evening })
    await upload({ results: [item(2, 'failed')], finished_at: early })
    const before = await results()
    const send = (dry_run: boolean) =>
      isXml
        ? uploadXml(junit(1, 2, 3, 9), `&dry_run=${dry_run}&finished_at=${noon}`)
        : upload({ results: [item(1), item(2), item(3), item(9)], finished_at: noon, dry_run })
    const dry = await send(true)
    expect(await results()).toEqual(before)
    const real = await send(false)
    expect([real.status, real.body.uploaded_count, real.body.failed_count]).toEqual([207, 2, 2])
    expect([dry.status, dry.body]).toEqual([207, { ...real.body, dry_run: true }])
    await expectCorrectCounters(server, project.id)
  })

  it('keeps 150 newer results of 300', async () => {
    const { project, upload, results } = await makeScenario(300)
    const all = Array.from({ length: 300 }, (_, index) => item(index + 1))
    const odd = all.filter((_, index) => index % 2 === 0).map((result) => ({ ...result, status: 'failed' }))
    await upload({ results: odd, finished_at: evening })
    const { body } = await upload({ results: all, finished_at: noon })
    expect([body.uploaded_count, body.failed_count, body.stats]).toEqual([150, 150, makeStats({ passed: 150 })])
    expect(body.errors?.map((error) => error.test_case_id)).toEqual(odd.map((result) => result.test_case_id))
    expect([...(await results()).values()].filter(({ status }) => status === 'failed')).toHaveLength(150)
    await expectCorrectCounters(server, project.id)
  })

  it('stores the failure of a test that arrives after a newer upload that skipped it, beside another test of its test case', async () => {
    const { project, upload, results } = await makeScenario(1)
    const report = (name: string, child: string) =>
      `<testsuite><testcase name="WEB-1 ${name}">${child}</testcase></testsuite>`
    await upload({ junit_xml: report('pays', ''), finished_at: early })
    await upload({ junit_xml: report('pays later', '<skipped/>'), finished_at: evening })
    expect((await results()).get('WEB-1')).toMatchObject({ status: 'passed', tested_at: early })
    await upload({ junit_xml: report('pays later', '<failure/>'), finished_at: noon })
    expect((await results()).get('WEB-1')).toMatchObject({ status: 'failed', tested_at: noon })
    await expectCorrectCounters(server, project.id)
  })

  it.each(['', 'noon', '12:00', 1_767_614_400, null, '2026-02-30T00:00:00Z'])(
    'returns 400 for the invalid time %j, and stores nothing',
    async (finished_at) => {
      const { ci, run, results, uploadXml } = await makeScenario(1)
      const body = { run_id: run.id, results: [item(1)], finished_at }
      const problem = await server.expectProblem(400, 'POST', '/v1/results', { token: ci, body })
      expect(problem.errors?.map((error) => error.path)).toEqual(['/finished_at'])
      expect(await uploadXml(junit(1), `&finished_at=${finished_at}`)).toMatchObject({
        status: 400,
        body: { errors: [{ path: '/finished_at' }] },
      })
      expect((await results()).get('WEB-1')?.tested_at).toBeNull()
    },
  )
})

describe('uploads with finished_at in any order', () => {
  it('store for each test case the result of the suite that finished last and executed it', async () => {
    const { project, ci, token } = await makeScenario(4)
    const suite = fc.record({
      second: fc.integer({ min: 0, max: 999_999 }),
      numbers: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
      status: fc.constantFrom('passed', 'failed', 'blocked', 'retest', 'not_tested'),
      isXml: fc.boolean(),
    })
    const anySuites = fc.uniqueArray(suite, { selector: ({ second }) => second, minLength: 2, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(anySuites, async (suites) => {
        const run = await makeRun(server, project)
        const latest = new Map<string, { status: string; tested_at: string }>()
        const latestTest = new Map<string, string>()
        for (const { second, numbers, status, isXml } of suites) {
          const tested_at = new Date(Date.parse(noon) + second * 1000).toISOString()
          const body = isXml
            ? { run_id: run.id, finished_at: tested_at, junit_xml: junit(...numbers) }
            : { run_id: run.id, finished_at: tested_at, results: numbers.map((number) => item(number, status)) }
          const ids = numbers.map((number) => `WEB-${number}`)
          // The execution of a test goes before what CI left untested.
          const isUntested = (id: string) => isXml && latest.get(id)?.status === 'not_tested'
          const isOlderTest = (id: string) => isXml && (latestTest.get(id) ?? '') > tested_at
          const isOlderResult = (id: string) => (latest.get(id)?.tested_at ?? '') > tested_at && !isUntested(id)
          const keptIds = ids.filter((id) => isOlderTest(id) || isOlderResult(id))
          const response = await server.request('POST', '/v1/results', { token: ci, body })
          expect(response).toMatchObject({
            status: keptIds.length === 0 ? 200 : 207,
            body: { uploaded_count: ids.length - keptIds.length, failed_count: keptIds.length },
          })
          for (const id of ids) {
            if (isXml && !isOlderTest(id)) latestTest.set(id, tested_at)
            if (!keptIds.includes(id)) latest.set(id, { status: isXml ? 'passed' : status, tested_at })
          }
        }
        const stored = await getRunResults(server, run.id, token)
        for (const [id, result] of latest) expect(stored.get(id)).toMatchObject(result)
      }),
      { numRuns: 10 },
    )
    await expectCorrectCounters(server, project.id)
  })
})
