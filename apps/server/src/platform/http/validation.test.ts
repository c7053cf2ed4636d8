import { CreateProjectBody } from '@caseward/contract/projects'
import { bulkUpdateResults } from '@caseward/contract/results'
import { CreateRunBody } from '@caseward/contract/runs'
import { CreateTestCaseBody } from '@caseward/contract/test-case-schemas'
import { bulkCreateTestCases, listTestCases } from '@caseward/contract/test-cases'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { Problem } from './problems.ts'
import { compileValidator } from './validation.ts'

function compile(schema: object, part: 'body' | 'query' = 'body') {
  const validate = compileValidator(schema, part)
  return async (data: unknown): Promise<Problem | null> => {
    try {
      await validate(data)
      return null
    } catch (error) {
      if (error instanceof Problem) return error
      throw error
    }
  }
}
const getErrorPaths = (problem: Problem | null) => problem?.fields.map(({ path }) => path) ?? []

const bulkResults = compile(bulkUpdateResults.schema.body)
const bulkCases = compile(bulkCreateTestCases.schema.body)

/** How long a call takes, and how much more lives on the heap after it. */
async function measure<T>(call: () => Promise<T>): Promise<{ result: T; ms: number; megabytes: number }> {
  const heap = process.memoryUsage().heapUsed
  const start = performance.now()
  const result = await call()
  const ms = performance.now() - start
  return { result, ms, megabytes: (process.memoryUsage().heapUsed - heap) / 1024 / 1024 }
}

/** An object with so many properties that no schema knows, as it comes from JSON. */
const withStrangers = (count: number, value: string): object =>
  JSON.parse(`{${Array.from({ length: count }, (_, index) => `"k${index}":${value}`).join(',')}}`) as object

describe('bodies', () => {
  it.each([['5'], [true], [null], [[1]], [{}]])('are taken at their word: %j is no whole number', async (elapsed) => {
    const problem = await bulkResults({ results: [{ test_case_id: 'WEB-1', status: 'passed', elapsed }] })
    expect(getErrorPaths(problem)).toEqual(elapsed === null ? [] : ['/results/0/elapsed'])
  })

  it.each([[1], [true], [null], [['x']]])('are taken at their word: %j is no text', async (name) => {
    expect(getErrorPaths(await compile(CreateProjectBody)({ name, prefix: 'WEB' }))).toEqual(['/name'])
  })

  it('count characters, not UTF-16 units', async () => {
    const validate = compile(CreateProjectBody)
    expect(await validate({ name: '😀'.repeat(255), prefix: 'WEB' })).toBeNull()
    expect(getErrorPaths(await validate({ name: '😀'.repeat(256), prefix: 'WEB' }))).toEqual(['/name'])
  })

  it('have names trimmed before their length counts, also inside lists', async () => {
    const body = { title: `  ${'x'.repeat(255)}\n`, tags: [' a ', '\tb'] }
    expect(await compile(CreateTestCaseBody)(body)).toBeNull()
    expect(body).toEqual({ title: 'x'.repeat(255), tags: ['a', 'b'] })
  })

  it('have every bad field of every bad item named, wherever it stands in the list', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(99), { minLength: 1 }), async (bad) => {
        const items = Array.from({ length: 100 }, (_, index) => (bad.includes(index) ? {} : { title: 'x' }))
        const expected = bad.toSorted((a, b) => a - b).map((index) => `/test_cases/${index}/title`)
        expect(getErrorPaths(await bulkCases({ test_cases: items }))).toEqual(expected)
      }),
    )
  })

  it('have a bad item named at its true place among ten thousand', async () => {
    const results = Array.from({ length: 10_000 }, (_, index) => ({
      test_case_id: `WEB-${index}`,
      status: index === 9876 ? 'pased' : 'passed',
    }))
    expect(getErrorPaths(await bulkResults({ results }))).toEqual(['/results/9876/status'])
  })

  it('have bad fields named in both of two long lists', async () => {
    const long = (bad: number) => Array.from({ length: 1500 }, (_, index) => (index === bad ? 5 : 'x'))
    const body = { name: ' ', test_case_ids: long(1200), folder_ids: long(1400) }
    expect(getErrorPaths(await compile(CreateRunBody)(body))).toEqual([
      '/name',
      '/test_case_ids/1200',
      '/folder_ids/1400',
    ])
  })

  it('have a bad name and a bad text named in an object whose names the caller chooses', async () => {
    const metadata = { branch: 'main', '': 'x', commit: 5 }
    const problem = await compile(CreateRunBody)({ name: 'Nightly', metadata })
    expect(getErrorPaths(problem).toSorted()).toEqual(['/metadata', '/metadata/commit'])
  })

  it('that are long and bad throughout have the first thousand bad fields named, and are told that there are more', async () => {
    const body = (await bulkResults({ results: Array.from({ length: 10_000 }, () => ({})) }))?.body()
    expect(body?.errors).toHaveLength(1000)
    expect(body?.errors?.at(-1)?.path).toBe('/results/499/status')
    expect(body?.detail).toMatch(/ \(and many more: errors lists the first 1,000\)\.$/)
  })

  it('with just a thousand bad fields have all of them named and counted', async () => {
    const body = (await bulkResults({ results: Array.from({ length: 500 }, () => ({})) }))?.body()
    expect(body?.errors).toHaveLength(1000)
    expect(body?.detail).toMatch(/ \(and 999 more, see errors\)\.$/)
  })

  it.each<[string, ReturnType<typeof compile>, () => object]>([
    ['10 MB of {} in a list', bulkResults, () => ({ results: Array.from({ length: 3_400_000 }, () => ({})) })],
    ['10 MB of numbers in a list', bulkResults, () => ({ results: Array.from({ length: 5_000_000 }, () => 0) })],
    [
      '1 MB of {} in a list inside a list',
      bulkCases,
      () => ({ test_cases: [{ title: 'x', steps: Array.from({ length: 350_000 }, () => ({})) }] }),
    ],
    [
      '1 MB of numbers behind a long list that is fine',
      compile(CreateRunBody),
      () => ({
        name: 'x'.repeat(200_000),
        test_case_ids: Array.from({ length: 100_000 }, () => ''),
        folder_ids: Array.from({ length: 250_000 }, () => 0),
      }),
    ],
    ['4 MB of lists that it does not know', bulkResults, () => withStrangers(400_000, '[0]')],
    ['4 MB of unknown fields in an item', bulkResults, () => ({ results: [withStrangers(400_000, '0')] })],
  ])('that are hostile are refused at once: %s', async (_, validate, make) => {
    const body = make()
    const { result, ms, megabytes } = await measure(() => validate(body))
    expect(result).not.toBeNull()
    expect(ms).toBeLessThan(1000)
    expect(megabytes).toBeLessThan(50)
  })

  it('that are large give others their turn while their bad fields are sought', async () => {
    const good = { test_case_id: 'WEB-1', status: 'passed' }
    const refused = bulkResults({ results: [...Array.from({ length: 200_000 }, () => good), {}] })
    const others = new Promise((resolve) => void setImmediate(resolve, 'others'))
    expect(await Promise.race([refused.then(() => 'refused'), others])).toBe('others')
    expect(await refused).not.toBeNull()
  })
})

describe('queries', () => {
  const validate = compile(listTestCases.schema.querystring, 'query')

  it('are all text and are coerced, and get their defaults', async () => {
    const query = { page: '3', search: '5' }
    expect(await validate(query)).toBeNull()
    expect(query).toEqual({ page: 3, per_page: 20, search: '5' })
  })

  it.each([
    ['page', ['1', '2']],
    ['page', '1e400'],
    ['page', 'Infinity'],
    ['page', ''],
    ['page', '1.5'],
    ['per_page', '0'],
    ['search', ['a', 'b']],
    ['search', '\0'],
    ['search', '\ud800'],
  ])('are refused for %s=%j', async (name, value) => {
    expect(getErrorPaths(await validate({ [name]: value }))).toEqual([`/${name}`])
  })
})
