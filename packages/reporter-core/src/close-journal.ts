import type { Delivery } from './deliver.ts'
import type { Journal } from './journal.ts'

/** Removes a journal that was delivered, and keeps or moves any other. */
export function closeJournal(journal: Journal, delivery: Delivery | null): void {
  if (delivery?.kind === 'delivered') journal.remove()
  else if (delivery?.isPermanent === true) journal.moveToRefused()
  else journal.release()
}
