import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { appendToSharedJournal } from '@caseward/reporter-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startTestJournal } from './suite-journal.test.helper.ts'

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-webdriverio-'))
})
afterEach(() => rm(cwd, { recursive: true }))

const attempt = { testId: '1', titlePath: ['WEB-1'], status: 'passed' } as const

describe('SuiteJournal', () => {
  it('reads only new lines of workers, neither the header nor the lines of the launcher', () => {
    const { path, journal } = startTestJournal(cwd)
    appendToSharedJournal(path, { attempt, cid: '0-0' })
    journal.write({ attempt })
    expect(journal.read()).toEqual([{ cid: '0-0', line: { attempt, at: expect.any(Number) } }])
    appendToSharedJournal(path, { ended: true, cid: '0-0' })
    expect(journal.read()).toEqual([{ cid: '0-0', line: { ended: true, at: expect.any(Number) } }])
    journal.remove()
  })
})
