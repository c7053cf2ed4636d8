import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { replaySpool } from '@caseward/reporter-core/replay'
import { readSettings } from '@caseward/reporter-core/settings'
import { listJournals, getSpoolDirectory } from '@caseward/reporter-core/spool-files'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createSuiteJournal } from './suite-journal.ts'
import { appendLine } from './worker-journal.ts'

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-webdriverio-'))
})
afterEach(() => rm(cwd, { recursive: true }))

const settings = readSettings({ url: 'http://ann:secret@127.0.0.1:9', token: 'cwc_t', runId: 'run' }, {}, {})
const attempt = { testId: '1', titlePath: ['WEB-1'], status: 'passed' } as const

describe('createSuiteJournal', () => {
  it('creates a file that a replay skips while the launcher is running', async () => {
    const journal = createSuiteJournal(cwd, settings)
    appendLine(journal.path, { attempt, cid: '0-0' })
    const server = { url: 'http://127.0.0.1:9', token: 'cwc_t', target: null }
    expect(await replaySpool(getSpoolDirectory(cwd), server)).toMatchObject({
      replayed: [],
      forOtherServer: 0,
      unreadable: 0,
    })
    expect(listJournals(getSpoolDirectory(cwd))).toEqual([journal.path])
    journal.remove()
    expect(listJournals(getSpoolDirectory(cwd))).toEqual([])
  })

  it('writes neither the token nor the password of the URL', async () => {
    const journal = createSuiteJournal(cwd, settings)
    expect(await readFile(journal.path, 'utf8')).not.toMatch(/secret|cwc_t/)
    journal.remove()
  })

  it('reads only new lines of workers, not those of the launcher', () => {
    const journal = createSuiteJournal(cwd, settings)
    appendLine(journal.path, { attempt, cid: '0-0' })
    journal.write({ attempt })
    expect(journal.read()).toEqual([{ cid: '0-0', line: { attempt, at: expect.any(Number) } }])
    appendLine(journal.path, { ended: true, cid: '0-0' })
    expect(journal.read()).toEqual([{ cid: '0-0', line: { ended: true, at: expect.any(Number) } }])
    journal.remove()
  })

  it('uses a temporary file when the spool cannot be written, and removes it', async () => {
    await writeFile(join(cwd, '.caseward'), '')
    const journal = createSuiteJournal(cwd, settings)
    expect(journal.path.startsWith(tmpdir())).toBe(true)
    appendLine(journal.path, { attempt, cid: '0-0' })
    expect(journal.read()).toHaveLength(1)
    journal.release()
    expect(() => appendLine(journal.path, { attempt })).toThrow(/ENOENT/)
  })
})
