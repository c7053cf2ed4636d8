import { startSharedJournal } from '@caseward/reporter-core'

import { type SuiteJournal, toSuiteJournal } from './suite-journal.ts'

/** Starts the journal of a launcher in a directory. */
export function startTestJournal(cwd: string): { path: string; journal: SuiteJournal } {
  const shared = startSharedJournal('webdriverio', { runId: 'run' }, {}, { cwd, env: {} })
  if (shared === null) throw new Error('Nothing is configured.')
  return { path: shared.path, journal: toSuiteJournal(shared) }
}
