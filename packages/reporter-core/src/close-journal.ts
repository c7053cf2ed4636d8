import type { Delivery } from './deliver.ts'
import { type Journal, startJournal } from './journal.ts'
import type { SuiteRecord } from './suite-record.ts'

/** Removes a journal that was delivered, and keeps or moves any other. */
export function closeJournal(journal: Journal, delivery: Delivery | null): void {
  if (delivery?.kind === 'delivered') journal.remove()
  else if (delivery?.isPermanent === true) journal.moveToRefused()
  else journal.release()
}

/**
 * Starts the journal that replaces the one of a suite whose results are stored. It only names the files that are missing.
 * @returns null if there are none
 */
export function startFilesJournal(
  directory: string,
  { header }: Pick<SuiteRecord, 'header'>,
  { run, missingFiles }: Extract<Delivery, { kind: 'delivered' }>,
): Journal | null {
  if (missingFiles.length === 0) return null
  const journal = startJournal(directory, header)
  journal.write({ remainingFiles: { runId: run.id, files: missingFiles } })
  return journal
}
