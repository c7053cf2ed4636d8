import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { appendToSharedJournal, type SuiteError, type TestAttempt } from '@caseward/reporter-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startTestJournal } from './suite-journal.test.helper.ts'
import type { JournalLine } from './worker-journal.ts'
import { createWorkerResults } from './worker-results.ts'

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-webdriverio-'))
})
afterEach(() => rm(cwd, { recursive: true }))

/** Writes the lines of one worker that exits with code 0, and returns what the launcher records. */
function recordWorker(...lines: JournalLine[]) {
  const attempts: TestAttempt[] = []
  const errors: SuiteError[] = []
  const reporter = {
    recordAttempt: (attempt: TestAttempt) => void attempts.push(attempt),
    recordSuiteError: (error: SuiteError) => void errors.push(error),
    finish: () => Promise.resolve({ failsSuite: false }),
  }
  const { path, journal } = startTestJournal(cwd)
  const results = createWorkerResults(reporter, journal, cwd)
  for (const line of lines) appendToSharedJournal(path, { ...line, cid: '0-0' })
  results.endWorker('0-0', 0, [join(cwd, 'cart.js')], null)
  results.end(0)
  return { attempts, errors: errors.map(({ location, message }) => `${location}: ${message}`) }
}

const attempt = { testId: '1', titlePath: ['WEB-1'], status: 'passed' } as const

describe('WorkerResults of a worker that exits with code 0', () => {
  it('contain its attempts', () => {
    expect(recordWorker({ attempt }, { ended: true })).toMatchObject({ attempts: [attempt], errors: [] })
  })

  it('contain an error when its last line is missing', () => {
    expect(recordWorker({ attempt })).toMatchObject({
      attempts: [attempt],
      errors: ['cart.js: The worker exited with code 0 before all of its tests had run.'],
    })
  })

  it('are empty without an error when it had no tests', () => {
    expect(recordWorker()).toEqual({ attempts: [], errors: [] })
  })
})
