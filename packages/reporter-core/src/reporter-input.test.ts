import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import type { ReporterOptions } from './options.ts'
import { createReporter } from './reporter.ts'
import { attempt, html, shortTimeouts, useReporterSandbox } from './reporter.test.helper.ts'
import { parseRecord } from './suite-record.ts'

const { sandbox, startServer, report, listSpool } = useReporterSandbox()

const circular: Record<string, unknown> = { ...attempt, testId: 'circular' }
circular['errors'] = [circular]
const throwingGetter = {
  ...attempt,
  get titlePath(): string[] {
    throw new Error('not now')
  },
}
const throwingProxy = new Proxy(
  {},
  {
    get: () => {
      throw Symbol('no')
    },
  },
)
const invalidValues: unknown[] = [
  undefined,
  null,
  5,
  'a',
  [],
  {},
  Symbol('a'),
  () => {},
  { ...attempt, status: 'exploded' },
  { ...attempt, testId: 1n, titlePath: 'a title' },
  { ...attempt, errors: 'no' },
  { ...attempt, durationMs: 1n },
  circular,
  throwingGetter,
  throwingProxy,
]

describe('a reporter that is called with invalid values', () => {
  it('does not throw, and stores the valid results', async () => {
    const server = await startServer()
    const { failsSuite, lines } = await report({
      url: server.url,
      attempts: [...invalidValues, attempt],
      errors: [...invalidValues, { location: 'cart.test.ts', message: 'no' }],
    })
    expect(failsSuite).toBe(false)
    expect(lines).toEqual([
      expect.stringContaining('stored 1 result'),
      expect.stringMatching(
        /the suite is incomplete: \d+ errors outside of tests \(test: A test result could not be read/,
      ),
    ])
    const { body } = server.requests.find(({ route }) => route === 'POST /v1/results') ?? { body: '' }
    expect(body).toContain('WEB-1 opens')
  })

  it('saves the valid values, and an error for each value that cannot be read', async () => {
    const server = await startServer({ '*': html(502) })
    await report({ url: server.url, attempts: [circular, throwingGetter, { ...attempt, testId: 'b' }] })
    const record = parseRecord(readFileSync(listSpool()[0] ?? '', 'utf8'))
    expect(record).toMatchObject({
      attempts: [{ testId: 'circular' }, { testId: 'b' }],
      errors: [{ location: 'test' }],
    })
  })

  it.each([[{}], [{ url: 5 }], [{ token: {} }], [{ url: 'no address', strict: undefined }]])(
    'does not throw or fail the suite because of the options %j',
    async (options) => {
      const server = await startServer()
      const { failsSuite } = await report({ url: server.url, options: options as ReporterOptions })
      expect(failsSuite).toBe(false)
    },
  )

  it('does not reject when its output is closed', async () => {
    const print = () => {
      throw new Error('EPIPE')
    }
    const { url } = await startServer({ '*': html(502) })
    const env = { SERVICE_URL: url, SERVICE_TOKEN: 'cwc_a', SERVICE_RUN_ID: 'run-1' }
    const reporter = createReporter('test', {}, {}, { env, cwd: sandbox.cwd, print, timeouts: shortTimeouts })
    reporter.recordAttempt(attempt)
    expect(await reporter.finish()).toEqual({ failsSuite: false })
  })
})
