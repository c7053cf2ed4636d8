import type { findSimilarForTests, SimilarForTests, SimilarTestCase } from '@caseward/contract/duplicates'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import fc from 'fast-check'
import type { Static } from '@caseward/contract/static'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

type Page = Static<(typeof findSimilarForTests)['schema']['response'][200]>

async function makeScenario() {
  const scenario = await makeTestsScenario(server)
  const root = `/v1/projects/${scenario.project.id}`
  const post = async <B>(path: string, body: object) => {
    const { token } = scenario
    return (await server.request<B>('POST', `${root}${path}`, { token, body })).body
  }
  return {
    ...scenario,
    create: (titles: readonly string[]) => post('/test-cases/import', { rows: titles.map((title) => ({ title })) }),
    findOne: async (title: string) => (await post<{ data: SimilarTestCase[] }>('/test-cases/similar', { title })).data,
    find: (body: object) => post<Page>('/tests/similar-test-cases', body),
  }
}

const word = fc.constantFrom(
  'Customer',
  'pays',
  'by',
  'card',
  'cards',
  'voucher',
  'Überweisung',
  '"x"',
  '5',
  '-5',
  '支付',
)
const title = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))

describe('POST /v1/projects/:project_id/tests/similar-test-cases', () => {
  it('finds for each test what PostgreSQL finds for its title alone, at most three, and leaves the rest out', async () => {
    const { run, create, uploadTests, find, findOne } = await makeScenario()
    await create(fc.sample(title, { numRuns: 120, seed: 3 }))
    const wanted = [...new Set(fc.sample(title, { numRuns: 60, seed: 4 }))]
    await uploadTests(wanted.map((name) => makeTest(`Shop > ${name}`)))
    const { data, meta } = await find({ all_unmatched_of_run: run.id })
    expect(meta).toEqual({ compared: wanted.length, remaining: 0, next_after: null, is_complete: true })
    const summarize = (items: readonly SimilarTestCase[]) =>
      items.slice(0, 3).map(({ same, similarity }) => `${same} ${similarity.toFixed(4)}`)
    const byTitle = new Map(data.map((item) => [item.title, item.similar]))
    for (const text of wanted) {
      expect([text, summarize(byTitle.get(text) ?? [])]).toEqual([text, summarize(await findOne(text))])
    }
    expect(data.length).toBeLessThan(wanted.length)
    expect(data.every(({ similar }) => similar.length > 0 && similar.length <= 3)).toBe(true)
  })

  it('has tests of one test case together, compares a thousand at a time, and changes nothing', async () => {
    const { run, create, uploadTests, listTests, link, find, getRun } = await makeScenario()
    await create(['A customer pays by card'])
    await uploadTests([
      ...['chromium', 'firefox'].map((variant) => makeTest('Shop > customer pays by card', ['passed'], { variant })),
      makeTest('a customer pays by card'),
      ...Array.from({ length: 1000 }, (_, index) => makeTest(`Refund ${index}`)),
    ])
    const before = await getRun()
    const first = await find({ all_unmatched_of_run: run.id })
    expect(first.meta).toMatchObject({ compared: 1000, remaining: 3, next_after: expect.any(String) })
    const second = await find({ all_unmatched_of_run: run.id, after: first.meta.next_after })
    expect(second.meta).toMatchObject({ compared: 3, remaining: 0, next_after: null })
    const found: SimilarForTests[] = [...first.data, ...second.data]
    const lines = found.map((item) => `${item.title}: ${item.tests.length}, ${item.similar[0]?.same}`)
    expect(new Set(lines)).toEqual(new Set(['a customer pays by card: 1, title', 'customer pays by card: 2, similar']))
    expect(await getRun()).toEqual(before)

    const [test] = (await listTests('search=a%20customer')).data
    await link(test?.id ?? '', 'WEB-1')
    expect((await find({ test_ids: [test?.id ?? '', 'x'] })).meta.compared).toBe(0)
    for (const body of [{}, { all_unmatched_of_run: '019aa5b9-0b1c-7d2e-8f3a-4b5c6d7e8f90' }]) {
      expect(await find(body)).toMatchObject({ status: 400 })
    }
  })
})
