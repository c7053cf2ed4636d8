import { CreateProjectBody } from '@caseward/contract/projects'
import { bulkUpdateResults } from '@caseward/contract/bulk-results'
import { CreateRunBody } from '@caseward/contract/runs'
import { CreateTestCaseBody } from '@caseward/contract/test-case-schemas'
import { bulkCreateTestCases, listTestCases } from '@caseward/contract/test-cases'
import { measureCpuTime } from '@caseward/test-support/cpu-time'
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

const validateResults = compile(bulkUpdateResults.schema.body)
const validateTestCases = compile(bulkCreateTestCases.schema.body)

describe('compileValidator for bodies', () => {
  it.each([['5'], [true], [null], [[1]], [{}]])('does not coerce %j to an integer', async (elapsed) => {
    const problem = await validateResults({ results: [{ test_case_id: 'WEB-1', status: 'passed', elapsed }] })
    expect(getErrorPaths(problem)).toEqual(elapsed === null ? [] : ['/results/0/elapsed'])
  })

  it.each([[1], [true], [null], [['x']]])('does not coerce %j to text', async (name) => {
    expect(getErrorPaths(await compile(CreateProjectBody)({ name, prefix: 'WEB' }))).toEqual(['/name'])
  })

  it('counts characters, not UTF-16 units', async () => {
    const validate = compile(CreateProjectBody)
    expect(await validate({ name: '😀'.repeat(255), prefix: 'WEB' })).toBeNull()
    expect(getErrorPaths(await validate({ name: '😀'.repeat(256), prefix: 'WEB' }))).toEqual(['/name'])
  })

  it('trims text before it checks the length, also inside lists', async () => {
    const body = { title: `  ${'x'.repeat(255)}\n`, tags: [' a ', '\tb'] }
    expect(await compile(CreateTestCaseBody)(body)).toBeNull()
    expect(body).toEqual({ title: 'x'.repeat(255), tags: ['a', 'b'] })
  })

  it('reports every invalid field of every item', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(99), { minLength: 1 }), async (invalid) => {
        const items = Array.from({ length: 100 }, (_, index) => (invalid.includes(index) ? {} : { title: 'x' }))
        const expected = invalid.toSorted((a, b) => a - b).map((index) => `/test_cases/${index}/title`)
        expect(getErrorPaths(await validateTestCases({ test_cases: items }))).toEqual(expected)
      }),
    )
  })

  it('reports the index of an invalid item among ten thousand', async () => {
    const results = Array.from({ length: 10_000 }, (_, index) => ({
      test_case_id: `WEB-${index}`,
      status: index === 9876 ? 'pased' : 'passed',
    }))
    expect(getErrorPaths(await validateResults({ results }))).toEqual(['/results/9876/status'])
  })

  it('reports invalid fields in two long lists', async () => {
    const createList = (invalid: number) => Array.from({ length: 1500 }, (_, index) => (index === invalid ? 5 : 'x'))
    const body = { name: ' ', test_case_ids: createList(1200), folder_ids: createList(1400) }
    expect(getErrorPaths(await compile(CreateRunBody)(body))).toEqual([
      '/name',
      '/test_case_ids/1200',
      '/folder_ids/1400',
    ])
  })

  it('reports invalid names and values in an object with names of the caller', async () => {
    const metadata = { branch: 'main', '': 'x', commit: 5 }
    const problem = await compile(CreateRunBody)({ name: 'Nightly', metadata })
    expect(getErrorPaths(problem).toSorted()).toEqual(['/metadata', '/metadata/commit'])
  })

  it('reports the first thousand of more invalid fields, and that there are more', async () => {
    const body = (await validateResults({ results: Array.from({ length: 10_000 }, () => ({})) }))?.body()
    expect(body?.errors).toHaveLength(1000)
    expect(body?.errors?.at(-1)?.path).toBe('/results/499/status')
    expect(body?.detail).toMatch(/ \(and many more: errors lists the first 1,000\)\.$/)
  })

  it('reports and counts exactly a thousand invalid fields', async () => {
    const body = (await validateResults({ results: Array.from({ length: 500 }, () => ({})) }))?.body()
    expect(body?.errors).toHaveLength(1000)
    expect(body?.detail).toMatch(/ \(and 999 more, see errors\)\.$/)
  })

  // hostile-bodies.test.ts has bodies of 10 MB.
  it('rejects within a second of processor time 1 MB of {} in a list inside a list', async () => {
    const body = { test_cases: [{ title: 'x', steps: Array.from({ length: 350_000 }, () => ({})) }] }
    let result: Problem | null = null
    const ms = await measureCpuTime(async () => {
      result = await validateTestCases(body)
    })
    expect(result).toBeInstanceOf(Problem)
    expect(ms).toBeLessThan(1000)
  })

  it('lets other requests run while it looks for invalid fields in a large body', async () => {
    const item = { test_case_id: 'WEB-1', status: 'passed' }
    const rejected = validateResults({ results: [...Array.from({ length: 200_000 }, () => item), {}] })
    const others = new Promise((resolve) => void setImmediate(resolve, 'others'))
    expect(await Promise.race([rejected.then(() => 'rejected'), others])).toBe('others')
    expect(await rejected).not.toBeNull()
  })
})

describe('compileValidator for query strings', () => {
  const validate = compile(listTestCases.schema.querystring, 'query')

  it('coerces text and sets defaults', async () => {
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
  ])('reports %s=%j', async (name, value) => {
    expect(getErrorPaths(await validate({ [name]: value }))).toEqual([`/${name}`])
  })
})
