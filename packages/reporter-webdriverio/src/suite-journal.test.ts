import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { replaySpool } from '@caseward/reporter-core/replay'
import { readSettings } from '@caseward/reporter-core/settings'
import { listJournals, getSpoolDirectory } from '@caseward/reporter-core/spool-files'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createSuiteJournal } from './suite-journal.ts'
import { append } from './worker-journal.ts'

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'caseward-webdriverio-'))
})
afterEach(() => rm(cwd, { recursive: true }))

const settings = readSettings({ url: 'http://ann:secret@127.0.0.1:9', token: 'cwc_t', runId: 'run' }, {}, {})
const attempt = { testId: '1', titlePath: ['WEB-1'], status: 'passed' } as const

describe('the file of a suite', () => {
  it('is left alone by those who replay the spool as long as its launcher lives', async () => {
    const journal = createSuiteJournal(cwd, settings)
    append(journal.path, { attempt, cid: '0-0' })
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

  it('holds neither the token nor the password in an address', async () => {
    const journal = createSuiteJournal(cwd, settings)
    expect(await readFile(journal.path, 'utf8')).not.toMatch(/secret|cwc_t/)
    journal.remove()
  })

  it('tells what workers have written since, and not what the launcher has', () => {
    const journal = createSuiteJournal(cwd, settings)
    append(journal.path, { attempt, cid: '0-0' })
    journal.tell({ attempt })
    expect(journal.read()).toEqual([{ cid: '0-0', line: { attempt, at: expect.any(Number) } }])
    append(journal.path, { ended: true, cid: '0-0' })
    expect(journal.read()).toEqual([{ cid: '0-0', line: { ended: true, at: expect.any(Number) } }])
    journal.remove()
  })

  it('lies among the temporary files where nothing can be written, and leaves none of them behind', async () => {
    await writeFile(join(cwd, '.caseward'), '')
    const journal = createSuiteJournal(cwd, settings)
    expect(journal.path.startsWith(tmpdir())).toBe(true)
    append(journal.path, { attempt, cid: '0-0' })
    expect(journal.read()).toHaveLength(1)
    journal.leave()
    expect(() => append(journal.path, { attempt })).toThrow(/ENOENT/)
  })
})
