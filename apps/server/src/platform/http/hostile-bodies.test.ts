import { bulkUpdateResults } from '@caseward/contract/bulk-results'
import { CreateRunBody } from '@caseward/contract/runs'
import { bulkCreateTestCases } from '@caseward/contract/test-cases'
import { measureCpuTime } from '@caseward/test-support/cpu-time'
import { expect, it } from 'vitest'

import { Problem } from './problems.ts'
import { compileValidator } from './validation.ts'

function compile(schema: object) {
  const validate = compileValidator(schema, 'body')
  return async (data: unknown): Promise<unknown> => {
    try {
      await validate(data)
      return null
    } catch (error) {
      return error
    }
  }
}

const validateResults = compile(bulkUpdateResults.schema.body)

/** Creates an object with many properties that are not in the schema. */
const createUnknownFields = (count: number, value: string): object =>
  JSON.parse(`{${Array.from({ length: count }, (_, index) => `"k${index}":${value}`).join(',')}}`) as object

it.each<[string, ReturnType<typeof compile>, () => object]>([
  ['10 MB of {} in a list', validateResults, () => ({ results: Array.from({ length: 3_400_000 }, () => ({})) })],
  ['10 MB of numbers in a list', validateResults, () => ({ results: Array.from({ length: 5_000_000 }, () => 0) })],
  [
    '1 MB of {} in a list inside a list',
    compile(bulkCreateTestCases.schema.body),
    () => ({ test_cases: [{ title: 'x', steps: Array.from({ length: 350_000 }, () => ({})) }] }),
  ],
  [
    '1 MB of numbers after a long valid list',
    compile(CreateRunBody),
    () => ({
      name: 'x'.repeat(200_000),
      test_case_ids: Array.from({ length: 100_000 }, () => ''),
      folder_ids: Array.from({ length: 250_000 }, () => 0),
    }),
  ],
  ['4 MB of unknown lists', validateResults, () => createUnknownFields(400_000, '[0]')],
  ['4 MB of unknown fields in an item', validateResults, () => ({ results: [createUnknownFields(400_000, '0')] })],
])('the validator rejects within a second of processor time %s', async (_, validate, createBody) => {
  const body = createBody()
  const heap = process.memoryUsage().heapUsed
  let result: unknown
  const ms = await measureCpuTime(async () => {
    result = await validate(body)
  })
  expect(result).toBeInstanceOf(Problem)
  expect(ms).toBeLessThan(1000)
  expect((process.memoryUsage().heapUsed - heap) / 1024 / 1024).toBeLessThan(50)
})
