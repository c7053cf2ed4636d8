import { JSON_LIMIT } from '@caseward/contract/endpoint'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createJsonScanner } from './json-scanner.ts'
import type { Problem } from './problems.ts'

/** Returns the code of the problem; undefined if the JSON is within the limits. */
function scan(json: string, sliceLength = json.length): string | undefined {
  const bytes = Buffer.from(json)
  const scanner = createJsonScanner(bytes)
  try {
    for (let end = 0; end < bytes.length;)
      scanner.scanTo((end = Math.min(end + Math.max(1, sliceLength), bytes.length)))
    return undefined
  } catch (error) {
    return (error as Problem).code
  }
}

const nest = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)
const list = (count: number, item: string) => `[${`${item},`.repeat(count - 1)}${item}]`
const object = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join(',')}}`

describe('createJsonScanner', () => {
  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
    ['lists in objects', '{"a":[', ']}'],
  ])('accepts 32 levels of %s and refuses 33', (_what, open, close) => {
    const levels = 32 / (open.match(/[[{]/g)?.length ?? 1)
    expect(scan(nest(levels, open, close))).toBeUndefined()
    expect(scan(`[${nest(levels, open, close)}]`)).toBe('json_too_deep')
  })

  it('refuses JSON that is too deep before it has seen the end', () => {
    expect(scan('['.repeat(10_000_000))).toBe('json_too_deep')
  })

  it.each([
    ['brackets in texts', `["${'['.repeat(100)}"]`],
    ['brackets after an escaped quotation mark', `["\\"${'['.repeat(100)}"]`],
    ['brackets after an escaped backslash and an escaped quotation mark', `["\\\\\\"${'{'.repeat(100)}"]`],
    ['a text of backslashes', `["${'\\\\'.repeat(100)}", 1]`],
    ['siblings that are closed', `[${'[{}],'.repeat(100)}0]`],
  ])('does not count %s as levels', (_what, json) => {
    expect(() => JSON.parse(json) as unknown).not.toThrow()
    for (const sliceLength of [json.length, 1, 2, 3, 7]) expect(scan(json, sliceLength)).toBeUndefined()
  })

  it('counts brackets behind a text that ends with an escaped backslash', () => {
    expect(scan(`["\\\\",${nest(32, '[', ']')}]`, 1)).toBe('json_too_deep')
  })

  it('accepts an object with 1,000 keys and refuses one with 1,001', () => {
    expect(scan(`{"metadata":${object(JSON_LIMIT.keys)}}`)).toBeUndefined()
    expect(scan(`{"metadata":${object(JSON_LIMIT.keys + 1)}}`)).toBe('json_too_many_keys')
  })

  it('counts the keys of each object separately', () => {
    expect(scan(list(10, `{"a":${object(600)},"b":${object(600)}}`))).toBeUndefined()
  })

  it('accepts 100,000 results with all fields', () => {
    const result = '{"test_case_id":"WEB-123456","status":"failed","note":"expected 200, got 500","elapsed":12}'
    expect(scan(`{"run_id":"x","results":${list(100_000, result)}}`)).toBeUndefined()
  })

  it('accepts nearly 1,000,000 values in lists of the outermost object and refuses more', () => {
    expect(scan(`{"results":${list(999_990, '0')}}`)).toBeUndefined()
    expect(scan(`{"results":${list(1_000_000, '0')}}`)).toBe('json_too_many_values')
    expect(scan(`{"a":${list(600_000, '0')},"b":${list(600_000, '0')}}`)).toBe('json_too_many_values')
    expect(scan(`{"results":${list(600_000, '{}')}}`)).toBe('json_too_many_values')
  })

  it.each([
    ['a list at the top', (values: string) => values],
    ['a list inside of an item', (values: string) => `{"results":[{"note":${values}}]}`],
    ['a list two levels below the outermost object', (values: string) => `{"future":{"a":${values}}}`],
  ])('refuses more than 100,000 values in %s', (_what, wrap) => {
    expect(scan(wrap(list(99_990, '0')))).toBeUndefined()
    expect(scan(wrap(list(100_010, '0')))).toBe('json_too_many_values')
  })

  it('counts at least as many values as there are, whatever the size of the slices', () => {
    const countValues = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce<number>((sum, item) => sum + countValues(item), 1)
        : 1
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 20 }), (json, sliceLength) => {
        const bytes = Buffer.from(json)
        const scanner = createJsonScanner(bytes)
        for (let end = 0; end < bytes.length;) scanner.scanTo((end = Math.min(end + sliceLength, bytes.length)))
        // The outermost value has nothing before it that is counted, unless it is a list or an object.
        expect(scanner.getValueCount()).toBeGreaterThanOrEqual(countValues(JSON.parse(json)) - 1)
      }),
    )
  })
})
