import { CreateProjectBody } from '@casebook/contract/projects'
import { bulkUpdateResults } from '@casebook/contract/results'
import { CreateRunBody } from '@casebook/contract/runs'
import { CreateTestCaseBody } from '@casebook/contract/test-case-shapes'
import { bulkCreateTestCases, listTestCases } from '@casebook/contract/test-cases'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { MAX_FIELD_ERRORS, Problem } from '../problems.ts'
import { compileValidator } from './validation.ts'

function compile(schema: object, part: 'body' | 'query' = 'body') {
  const validate = compileValidator(schema, part)
  return (data: unknown): Problem | null => {
    const { error } = validate(data) as { error?: unknown }
    if (error === undefined) return null
    if (error instanceof Problem) return error
    throw new Error('not a problem')
  }
}
const pathsOf = (problem: Problem | null) => problem?.fields.map(({ path }) => path) ?? []

const bulkResults = compile(bulkUpdateResults.schema.body)
const bulkCases = compile(bulkCreateTestCases.schema.body)

/** How long a call takes, and how much more lives on the heap after it. */
function measure<T>(call: () => T): { result: T; ms: number; megabytes: number } {
  const heap = process.memoryUsage().heapUsed
  const start = performance.now()
  const result = call()
  const ms = performance.now() - start
  return { result, ms, megabytes: (process.memoryUsage().heapUsed - heap) / 1024 / 1024 }
}

describe('bodies', () => {
  it.each([['5'], [true], [null], [[1]], [{}]])('are taken at their word: %j is no whole number', (elapsed) => {
    const problem = bulkResults({ results: [{ test_case_id: 'WEB-1', status: 'passed', elapsed }] })
    expect(pathsOf(problem)).toEqual(elapsed === null ? [] : ['/results/0/elapsed'])
  })

  it.each([[1], [true], [null], [['x']]])('are taken at their word: %j is no text', (name) => {
    expect(pathsOf(compile(CreateProjectBody)({ name, prefix: 'WEB' }))).toEqual(['/name'])
  })

  it('count characters, not UTF-16 units', () => {
    const validate = compile(CreateProjectBody)
    expect(validate({ name: '😀'.repeat(255), prefix: 'WEB' })).toBeNull()
    expect(pathsOf(validate({ name: '😀'.repeat(256), prefix: 'WEB' }))).toEqual(['/name'])
  })

  it('have names trimmed before their length counts, also inside lists', () => {
    const body = { title: `  ${'x'.repeat(255)}\n`, tags: [' a ', '\tb'] }
    expect(compile(CreateTestCaseBody)(body)).toBeNull()
    expect(body).toEqual({ title: 'x'.repeat(255), tags: ['a', 'b'] })
  })

  it('have every bad field of every bad item named, wherever it stands in the list', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(99), { minLength: 1 }), (bad) => {
        const items = Array.from({ length: 100 }, (_, index) => (bad.includes(index) ? {} : { title: 'x' }))
        const expected = bad.toSorted((a, b) => a - b).map((index) => `/test_cases/${index}/title`)
        expect(pathsOf(bulkCases({ test_cases: items }))).toEqual(expected)
      }),
    )
  })

  it('have a bad item named at its true place among ten thousand', () => {
    const results = Array.from({ length: 10_000 }, (_, index) => ({
      test_case_id: `WEB-${index}`,
      status: index === 9876 ? 'pased' : 'passed',
    }))
    expect(pathsOf(bulkResults({ results }))).toEqual(['/results/9876/status'])
  })

  it('have bad fields named in both of two long lists', () => {
    const long = (bad: number) => Array.from({ length: 1500 }, (_, index) => (index === bad ? 5 : 'x'))
    const body = { name: ' ', test_case_ids: long(1200), folder_ids: long(1400) }
    expect(pathsOf(compile(CreateRunBody)(body))).toEqual(['/name', '/test_case_ids/1200', '/folder_ids/1400'])
  })

  it('that are long and bad throughout name as many fields as are shown, and say how many', () => {
    const problem = bulkResults({ results: Array.from({ length: 10_000 }, () => ({})) })
    expect(problem?.fields).toHaveLength(MAX_FIELD_ERRORS)
    expect(JSON.stringify(problem?.body()).length).toBeLessThan(200_000)
  })

  it.each([
    ['10 MB of {} in a list', bulkResults, { results: Array.from({ length: 3_400_000 }, () => ({})) }],
    ['10 MB of numbers in a list', bulkResults, { results: Array.from({ length: 5_000_000 }, () => 0) }],
    [
      '1 MB of {} in a list inside a list',
      bulkCases,
      { test_cases: [{ title: 'x', steps: Array.from({ length: 350_000 }, () => ({})) }] },
    ],
    [
      '1 MB of numbers behind a long list that is fine',
      compile(CreateRunBody),
      {
        name: 'x'.repeat(200_000),
        test_case_ids: Array.from({ length: 100_000 }, () => ''),
        folder_ids: Array.from({ length: 250_000 }, () => 0),
      },
    ],
  ])('that are hostile are refused at once: %s', (_, validate, body) => {
    const { result, ms, megabytes } = measure(() => validate(body))
    expect(result).not.toBeNull()
    expect(ms).toBeLessThan(1000)
    expect(megabytes).toBeLessThan(50)
  })
})

describe('queries', () => {
  const validate = compile(listTestCases.schema.querystring, 'query')

  it('are all text and are coerced, and get their defaults', () => {
    const query = { page: '3', search: '5' }
    expect(validate(query)).toBeNull()
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
  ])('are refused for %s=%j', (name, value) => {
    expect(pathsOf(validate({ [name]: value }))).toEqual([`/${name}`])
  })
})
