import { type ComparedItem, RUN_CHANGES } from '@caseward/contract/run-comparison'
import { makeEvaluationScenario, type Outcomes } from '@caseward/test-support/evaluation-scenario'
import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

interface Page {
  data: ComparedItem[]
  meta: { by: string; totals: Record<string, number> | null; next_after: string | null }
}

const STATUSES = ['passed', 'failed', 'blocked', 'retest', 'not_tested'] as const
type Status = (typeof STATUSES)[number]
const isFailing = (status: Status) => ['failed', 'blocked', 'retest'].includes(status)

/** What each pair of statuses is, by the rules of the contract. */
function classify(base: Status | null, head: Status | null): string {
  if (base === null) return 'new'
  if (head === null) return 'missing'
  if (isFailing(base) && isFailing(head)) return 'still_failing'
  if (base === 'not_tested') return head === 'not_tested' ? 'same' : 'newly_tested'
  if (head === 'not_tested') return 'no_longer_tested'
  if (isFailing(head)) return 'newly_failing'
  return isFailing(base) ? 'fixed' : 'same'
}

async function makeComparison(cases: number) {
  const project = await makeProject(server)
  const ids = await makeTestCases(server, project, cases)
  const { token } = project.admin
  return {
    project,
    ids,
    async makeRunWith(statuses: readonly (Status | null)[], note = 'Wrong'): Promise<string> {
      const inRun = ids.filter((_, index) => statuses[index] !== null)
      const { id } = await makeRun(server, project, { test_case_ids: inRun })
      const results = inRun.map((testCase) => {
        const status = statuses[ids.indexOf(testCase)] ?? 'passed'
        return { test_case_id: testCase, status, note: status === 'passed' ? null : note, elapsed: 2 }
      })
      const body = { results }
      if (results.length > 0) await server.request('POST', `/v1/runs/${id}/results/bulk`, { token, body })
      return id
    },
    async compare(base: string, head: string, query = ''): Promise<Page> {
      const path = `/v1/projects/${project.id}/run-comparison?base=${base}&head=${head}${query}`
      const { status, body } = await server.request<Page>('GET', path, { token })
      expect(status).toBe(200)
      return body
    },
  }
}

async function readPages(read: (query: string) => Promise<Page>): Promise<Page[]> {
  const pages: Page[] = []
  let after: string | null = ''
  while (after !== null) {
    const page = await read(after === '' ? '' : `&after=${after}`)
    pages.push(page)
    after = page.meta.next_after
  }
  return pages
}

describe('GET /v1/projects/:project_id/run-comparison', () => {
  it('gives every test case of two runs exactly one change, and counts all of them', async () => {
    const { ids, makeRunWith, compare } = await makeComparison(8)
    const sides = fc.array(fc.option(fc.constantFrom(...STATUSES)), { minLength: 8, maxLength: 8 })
    const property = fc.asyncProperty(sides, sides, async (base, head) => {
      const pair = [await makeRunWith(base), await makeRunWith(head)] as const
      const { data, meta } = await compare(...pair)
      const expected = new Map(
        ids.flatMap((id, index) => {
          const [before = null, now = null] = [base[index], head[index]]
          return before === null && now === null ? [] : [[id, classify(before, now)] as const]
        }),
      )
      expect(new Map(data.map((item) => [item.test_case_id, item.change]))).toEqual(expected)
      expect(data).toHaveLength(expected.size)
      const count = (change: string) => [...expected.values()].filter((value) => value === change).length
      expect(meta.totals).toEqual(Object.fromEntries(RUN_CHANGES.map((change) => [change, count(change)])))
      const failing = (await compare(...pair, '&change=newly_failing')).data
      expect(new Set(failing.map(({ test_case_id: id }) => id))).toEqual(
        new Set([...expected].flatMap(([id, change]) => (change === 'newly_failing' ? [id] : []))),
      )
    })
    await fc.assert(property, { numRuns: 4 })
  })

  it('says both statuses and notes, and whether it is the same failure', async () => {
    const { project, makeRunWith, compare } = await makeComparison(3)
    const base = await makeRunWith(['failed', 'failed', 'passed'], 'Wrong sum\nof the basket')
    const head = await makeRunWith(['failed', 'blocked', 'passed'], 'Wrong sum\nof the order')
    const { data } = await compare(base, head)
    expect(data.map((item) => [item.change, item.is_same_failure])).toEqual([
      ['still_failing', true],
      ['still_failing', false],
      ['same', false],
    ])
    expect(data[1]).toMatchObject({
      title: 'Case 2',
      base: { status: 'failed', note_line: 'Wrong sum', elapsed_ms: 2000 },
      head: { status: 'blocked', note_line: 'Wrong sum', elapsed_ms: 2000 },
    })
    // The most seconds that a result can have are more milliseconds than an integer of PostgreSQL.
    const body = { status: 'failed', elapsed: 2_147_483_647 }
    await server.request('PUT', `/v1/runs/${head}/results/${data[0]?.test_case_id}`, {
      token: project.admin.token,
      body,
    })
    expect((await compare(base, head)).data[0]?.head?.elapsed_ms).toBe(2_147_483_647_000)
  })

  it('compares deleted test cases by their title, also if several have the same', async () => {
    const { project, ids, makeRunWith, compare } = await makeComparison(3)
    const { token } = project.admin
    for (const id of ids.slice(0, 2)) {
      const path = `/v1/projects/${project.id}/test-cases/${id}`
      await server.request('PATCH', path, { token, body: { title: 'Pays' } })
    }
    const base = await makeRunWith(['passed', 'failed', 'passed'])
    const head = await makeRunWith(['failed', 'failed', null])
    for (const id of ids) {
      expect((await server.request('DELETE', `/v1/projects/${project.id}/test-cases/${id}`, { token })).status).toBe(
        200,
      )
    }
    const { data, meta } = await compare(base, head)
    const described = data.map((item) => `${item.test_case_id} ${item.title} ${item.change}`)
    expect(new Set(described)).toEqual(
      new Set(['null Case 3 missing', 'null Pays newly_failing', 'null Pays still_failing']),
    )
    expect(meta.totals).toMatchObject({ missing: 1, newly_failing: 1, still_failing: 1, new: 0 })
  })

  it('reads pages by cursor, with the totals on the first one', async () => {
    const { ids, makeRunWith, compare } = await makeComparison(5)
    const base = await makeRunWith(ids.map(() => 'passed'))
    const head = await makeRunWith(ids.map((_, index) => (index === 2 ? null : 'failed')))
    const pages = await readPages((query) => compare(base, head, `&per_page=2${query}`))
    expect(pages.map(({ meta }) => meta.totals === null)).toEqual([false, true, true])
    const seen = pages.flatMap(({ data }) => data.map(({ test_case_id: id }) => id))
    expect(seen).toHaveLength(ids.length)
    expect(new Set(seen)).toEqual(new Set(ids))
  })

  it('compares the tests of two runs if both have some, with their messages and how long they took', async () => {
    const { project, token: ciToken, makeRunByKey, uploadTests } = await makeTestsScenario(server, 1)
    const { token } = project.admin
    const makeRunOf = async (key: string, tests: ReturnType<typeof makeTest>[]) => {
      const { id } = await makeRunByKey(key)
      await uploadTests(tests, { run_id: id })
      return id
    }
    const timed = (name: string, elapsed: number) => {
      const test = makeTest(name, ['passed'])
      return { ...test, attempts: test.attempts.map((attempt) => ({ ...attempt, elapsed_ms: elapsed })) }
    }
    const base = await makeRunOf('one', [
      timed('stays', 400),
      timed('slows', 1000),
      timed('slows a little', 100),
      makeTest('breaks', ['passed']),
      makeTest('heals', ['failed']),
      makeTest('flakes', ['failed', 'passed']),
      makeTest('goes', ['passed']),
      makeTest('rests', ['passed']),
      makeTest('fails on', ['failed']),
    ])
    const head = await makeRunOf('two', [
      timed('stays', 420),
      timed('slows', 1500),
      timed('slows a little', 300),
      makeTest('breaks', ['failed']),
      makeTest('heals', ['failed', 'passed']),
      makeTest('flakes', ['passed']),
      makeTest('comes', ['failed']),
      makeTest('rests', ['skipped']),
      makeTest('fails on', ['failed']),
    ])
    const path = `/v1/projects/${project.id}/run-comparison?base=${base}&head=${head}`
    const { data, meta } = (await server.request<Page>('GET', path, { token: ciToken })).body
    expect(meta.by).toBe('tests')
    expect(Object.fromEntries(data.map((item) => [item.title, item.change]))).toEqual({
      stays: 'same',
      slows: 'slower',
      'slows a little': 'same',
      breaks: 'newly_failing',
      heals: 'fixed',
      flakes: 'same',
      goes: 'missing',
      comes: 'new',
      rests: 'no_longer_tested',
      'fails on': 'still_failing',
    })
    expect(data.find(({ title }) => title === 'fails on')).toMatchObject({ is_same_failure: true, test_case_id: null })
    const byCase = await server.request<Page>('GET', `${path}&by=test_cases`, { token })
    expect(byCase.body.meta.by).toBe('test_cases')
  })

  it('equals a join in SQL, with the same failures as verdicts', async () => {
    const { project, token, build, evaluate } = await makeEvaluationScenario(server)
    const messages = [
      'TypeError: the cart is empty after 3 retries of the checkout',
      // Another number is no other failure, and a few other characters are none, either.
      'TypeError: the cart is empty after 9 retries of the checkout',
      'TypeError: the cart is empty after 3 retries of the checkouts',
      'RangeError: the discount is larger than the price',
      // Of these, only the numbers tell one from the other.
      'expected:<1> but was:<2>',
      'expected:<1> but was:<3>',
    ]
    const outcome = fc.option(
      fc.oneof(
        fc.constantFrom('passed', 'failed', 'skipped', 'blocked'),
        fc.constantFrom(...messages).map((message) => ({ statuses: ['failed'] as const, message })),
      ),
      { freq: 5 },
    )
    const toOutcomes = (values: readonly (Outcomes[string] | null)[]): Outcomes =>
      Object.fromEntries(values.flatMap((value, index) => (value === null ? [] : [[`test ${index}`, value]])))
    const sides = fc.array(outcome, { minLength: 40, maxLength: 40 })
    const property = fc.asyncProperty(sides, sides, fc.boolean(), async (before, now, isEvaluated) => {
      const base = await build({ ...toOutcomes(before), always: 'passed' })
      const head = await build({ ...toOutcomes(now), always: 'passed' })
      // The failures of runs that were never evaluated are read from their texts.
      if (isEvaluated) for (const { id } of [base, head]) await evaluate(id)
      await sql`
        update test_outcomes set elapsed_ms = 400 + 300 * (abs(hashtext(run_id::text || test_id)) % 4)
        where project_id = ${project.id}`.execute(server.db)
      const path = `/v1/projects/${project.id}/run-comparison?base=${base.id}&head=${head.id}`
      const read = async (query: string) => (await server.request<Page>('GET', `${path}${query}`, { token })).body
      const { data, meta } = await read('&per_page=500')
      const { rows } = await sql<{ name: string; change: string }>`
        with b as (select * from test_outcomes where run_id = ${base.id}), h as (select * from test_outcomes where run_id = ${head.id}),
        pair as (
          select t.name, b.status is null as is_new, h.status is null as is_missing,
            coalesce(b.status in ('failed', 'blocked'), false) as was_red, coalesce(h.status in ('failed', 'blocked'), false) as is_red,
            b.status = 'skipped' as was_skipped, h.status = 'skipped' as is_skipped, b.elapsed_ms as before, h.elapsed_ms as now
          from tests t left join b on b.test_id = t.id left join h on h.test_id = t.id
          where t.project_id = ${project.id} and (b.test_id is not null or h.test_id is not null)
        )
        select name, case
            when is_new then 'new' when is_missing then 'missing' when was_red and is_red then 'still_failing'
            when was_skipped and is_skipped then 'same' when was_skipped then 'newly_tested'
            when is_skipped then 'no_longer_tested' when was_red then 'fixed' when is_red then 'newly_failing'
            when now >= 1.5 * before and now - before >= 500 then 'slower' else 'same'
          end as change
        from pair`.execute(server.db)
      const byName = (list: readonly { name: string; change: string }[]) =>
        Object.fromEntries(list.map(({ name, change }) => [name, change]))
      expect(byName(data.map(({ title, change }) => ({ name: title, change })))).toEqual(byName(rows))
      expect(meta.totals).toEqual(
        Object.fromEntries(RUN_CHANGES.map((change) => [change, rows.filter((row) => row.change === change).length])),
      )
      for (const change of [undefined, ...RUN_CHANGES]) {
        const filter = `&per_page=7${change === undefined ? '' : `&change=${change}`}`
        const pages = await readPages((query) => read(`${filter}${query}`))
        const ofChange = data.filter((item) => change === undefined || item.change === change)
        expect(pages.flatMap((page) => page.data)).toEqual(ofChange)
      }
      const toKind = (value: Outcomes[string] | null | undefined) =>
        typeof value === 'object' && value !== null && 'message' in value
          ? value.message.replace(/^(\w+Error: ).*/, '$1')
          : value
      for (const { title, change, is_same_failure: isSame } of data) {
        const index = Number(title.split(' ')[1])
        expect(isSame).toBe(change === 'still_failing' && toKind(before[index]) === toKind(now[index]))
      }
    })
    await fc.assert(property, { numRuns: 5 })
  })

  it('names each run that is not of the project', async () => {
    const { project, makeRunWith } = await makeComparison(1)
    const run = await makeRunWith(['passed'])
    const other = await makeComparison(1)
    const foreign = await other.makeRunWith(['passed'])
    const refuse = async (base: string, head: string) => {
      const path = `/v1/projects/${project.id}/run-comparison?base=${base}&head=${head}`
      return (await server.expectProblem(400, 'GET', path, { token: project.admin.token })).errors?.map(
        ({ path: at }) => at,
      )
    }
    expect(await refuse(run, foreign)).toEqual(['/head'])
    expect(await refuse('x', foreign)).toEqual(['/base', '/head'])
  })
})
