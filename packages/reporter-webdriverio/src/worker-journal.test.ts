import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { createWorkerJournal, setWorkerConfig, type JournalLine } from './worker-journal.ts'

const attempt = (title: string): JournalLine => ({ attempt: { testId: title, titlePath: [title], status: 'passed' } })

describe('createWorkerJournal', () => {
  it('writes an error for the results that could not be saved when the journal can be written again', () => {
    const directory = mkdtempSync(join(tmpdir(), 'caseward-worker-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    const path = join(directory, 'journal.jsonl')
    setWorkerConfig({ path, variants: [] })
    const write = createWorkerJournal('0-0')
    // The file does not exist yet, and a worker never creates it.
    for (const title of ['a', 'b']) write?.(attempt(title))
    writeFileSync(path, '')
    write?.(attempt('c'))
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { error: { location: 'webdriverio', message: 'A worker could not save 2 results.' }, cid: '0-0' },
      { attempt: { titlePath: ['c'] }, cid: '0-0' },
    ])
  })
})
