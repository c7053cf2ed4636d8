import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { catchErrorMessage } from './journal-file.ts'
import { isRecord } from './parse-attempt.ts'
import { now } from './restore-globals.ts'
import { isReportingDisabled } from './settings.ts'
import { readLines } from './shared-journal.ts'
import { getSpoolDirectory } from './spool-files.ts'
import { parseLine } from './suite-record.ts'
import type { Attachment, TestAttempt, TestStep } from './test-attempt.ts'

/** The files and steps that tests have reported by `attach` and `step`, in whatever process they run. */
export interface AttachedEvidence {
  /** Returns those of a test that were not returned before. */
  take(test: Pick<TestAttempt, 'file' | 'titlePath'>): { attachments: Attachment[]; steps: TestStep[] }
  /** Deletes what no test has taken. */
  remove(): void
}

/** Read by `attach.cts`. */
const DIRECTORY_VARIABLE = 'CASEWARD_ATTACH_DIRECTORY'
const DIRECTORY_NAME = 'attached-'
const ABANDONED_MS = 86_400_000

interface Evidence {
  attachments: Attachment[]
  steps: (TestStep & { order: number })[]
}

/**
 * Tells the tests where to write. The directory is created by the first of them.
 * @param environment that of the processes of the tests
 */
export function startAttachedEvidence(
  spool: string,
  cwd: string,
  environment: Record<string, string | undefined> = process.env,
): AttachedEvidence {
  const prefix = join(spool, `${DIRECTORY_NAME}${process.pid}-`)
  const prepared = environment[DIRECTORY_VARIABLE] ?? ''
  const directory = prepared.startsWith(prefix) ? prepared : `${prefix}${Math.random().toString(36).slice(2)}`
  environment[DIRECTORY_VARIABLE] = directory
  const evidence = new Map<string, Evidence>()
  let position = 0

  const readNew = () => {
    const path = join(directory, 'journal.jsonl')
    // Created by the first test that reports something.
    if (!existsSync(path)) return
    const { lines, end } = readLines(path, position)
    position = end
    for (const line of lines) addLine(evidence, line, cwd)
  }
  return {
    take({ file = '', titlePath }) {
      // A disk that fails must not cost the result.
      catchErrorMessage(readNew)
      if (evidence.size === 0) return { attachments: [], steps: [] }
      const key = toKey(resolve(cwd, file), titlePath.join(' '))
      const { attachments, steps } = evidence.get(key) ?? { attachments: [], steps: [] }
      evidence.delete(key)
      steps.sort((a, b) => a.order - b.order)
      return { attachments, steps: steps.map(({ order: _order, ...step }) => step) }
    },
    remove() {
      if (environment[DIRECTORY_VARIABLE] === directory) delete environment[DIRECTORY_VARIABLE]
      try {
        rmSync(directory, { recursive: true, force: true })
        removeAbandoned(spool)
      } catch {
        // The next suite removes it.
      }
    },
  }
}

/** Chooses the directory before the reporter is created, for frameworks that start the processes of tests earlier. */
export function prepareAttachments(environment: Record<string, string | undefined> = process.env): void {
  if (!isReportingDisabled({}, environment))
    startAttachedEvidence(getSpoolDirectory(process.cwd()), process.cwd(), environment)
}

/** Frameworks join titles by white space or `>`. */
const toKey = (file: string, name: string) => `${file}\0${name.replaceAll(/[\s>]+/g, ' ').trim()}`

function addLine(evidence: Map<string, Evidence>, line: string, cwd: string): void {
  const entry = parseLine(line)
  if (entry === null || typeof entry['file'] !== 'string' || typeof entry['name'] !== 'string') return
  const key = toKey(resolve(cwd, entry['file'].replace(/^file:\/\//, '')), entry['name'])
  const { attachments, steps } = evidence.get(key) ?? { attachments: [], steps: [] }
  evidence.set(key, { attachments, steps })
  const { attachment, step } = entry
  if (isRecord(attachment)) attachments.push(attachment as unknown as Attachment)
  // Both are parsed with the attempt that they belong to.
  if (isRecord(step)) steps.push({ ...(step as unknown as TestStep), order: Number(step['order']) })
}

/** Removes what suites that were killed have left. */
function removeAbandoned(spool: string): void {
  for (const name of readdirSync(spool).filter((entry) => entry.startsWith(DIRECTORY_NAME))) {
    const path = join(spool, name)
    if (now() - statSync(path).mtimeMs > ABANDONED_MS) rmSync(path, { recursive: true, force: true })
  }
}
