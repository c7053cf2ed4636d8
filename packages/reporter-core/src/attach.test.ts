import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { attach, step } from '@caseward/reporter-core/attach'
import { beforeEach, describe, expect, it } from 'vitest'

import { createReporter } from './reporter.ts'
import { attempt, useReporterSandbox } from './reporter.test.helper.ts'

const { sandbox, startServer } = useReporterSandbox()

interface UploadedAttempt {
  attachments?: { name: string }[]
  steps?: object[]
}

/** Starts a reporter, and returns the attempts that it uploads when it has recorded them. */
async function startSuite(env: Record<string, string> = {}) {
  const server = await startServer()
  const settings = { SERVICE_URL: server.url, SERVICE_TOKEN: 'cwc_secret', SERVICE_RUN_ID: 'run-1', ...env }
  const reporter = createReporter('test', {}, {}, { env: settings, cwd: sandbox.cwd, print: () => {} })
  return {
    reporter,
    async finish() {
      await reporter.finish()
      const upload = server.requests.find(({ route }) => route === 'POST /v1/results')
      const { tests } = JSON.parse(upload?.body ?? '') as { tests: { attempts: UploadedAttempt[] }[] }
      return tests.map(({ attempts }) => attempts)
    },
  }
}

/** The context of a test in the form of Mocha. */
const contextOf = (name: string) => ({ test: { file: join(sandbox.cwd, 'cart.js'), fullTitle: () => name } })
const failed = (...titlePath: string[]) =>
  ({ ...attempt, testId: titlePath.join(), titlePath, file: 'cart.js', status: 'failed' }) as const

// The reporter of Mocha, whose tests may have run in this process, says here which test runs.
beforeEach(() => void Reflect.deleteProperty(globalThis, Symbol.for('caseward.currentTest')))

describe('attach and step', () => {
  it('add files and steps to the attempt that ends next, of the test that has called them', async () => {
    const { reporter, finish } = await startSuite()
    const context = contextOf('cart pays')
    attach('first.txt', Buffer.from('1'), context)
    reporter.recordAttempt(failed('cart', 'pays'))
    attach('second.txt', Buffer.from('2'), contextOf('another test'))
    attach('second.txt', new Uint8Array([50]), context)
    await step(
      'opens',
      async () => {
        await step('waits', () => Promise.resolve(), context)
      },
      context,
    )
    expect(() =>
      step(
        'pays',
        () => {
          throw new Error('no card')
        },
        context,
      ),
    ).toThrow('no card')
    reporter.recordAttempt(failed('cart', 'pays'))
    const [attempts] = await finish()
    expect(attempts).toMatchObject([
      { attachments: [{ name: 'first.txt' }] },
      {
        attachments: [{ name: 'second.txt' }],
        steps: [
          { title: 'opens', status: 'passed', depth: 0, elapsed_ms: expect.any(Number) },
          { title: 'waits', status: 'passed', depth: 1 },
          { title: 'pays', status: 'failed', depth: 0, message: 'no card' },
        ],
      },
    ])
  })

  it('find the current test of Vitest and Jest by themselves', async () => {
    const { reporter, finish } = await startSuite()
    attach('a.txt', Buffer.from('a'))
    const titlePath = ['attach and step', 'find the current test of Vitest and Jest by themselves']
    reporter.recordAttempt({ ...failed(...titlePath), file: import.meta.filename })
    expect(await finish()).toMatchObject([[{ attachments: [{ name: 'a.txt' }] }]])
  })

  it('leave nothing behind, and do nothing without a reporter', async () => {
    const { reporter, finish } = await startSuite({ SERVICE_ATTACHMENTS: 'none' })
    attach('a.txt', Buffer.from('a'), contextOf('cart pays'))
    const directory = process.env['CASEWARD_ATTACH_DIRECTORY'] ?? ''
    expect(existsSync(directory)).toBe(true)
    reporter.recordAttempt(failed('cart', 'pays'))
    expect(await finish()).toEqual([[{ status: 'failed', elapsed_ms: 1200 }]])
    expect([existsSync(directory), process.env['CASEWARD_ATTACH_DIRECTORY']]).toEqual([false, undefined])
    attach('b.txt', Buffer.from('b'))
    expect(step('adds', () => 7)).toBe(7)
  })

  it('refuse a file outside of the working directory', async () => {
    const { reporter, finish } = await startSuite()
    writeFileSync(join(sandbox.cwd, 'outside.txt'), 'x')
    // The working directory of this process is the repository.
    attach('outside.txt', join(sandbox.cwd, 'outside.txt'), contextOf('cart pays'))
    attach('package.json', 'package.json', contextOf('cart pays'))
    reporter.recordAttempt(failed('cart', 'pays'))
    expect(await finish()).toMatchObject([[{ attachments: [{ name: 'package.json' }] }]])
  })
})
