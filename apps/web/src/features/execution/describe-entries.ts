import type { OutboxEntry } from '../../outbox/outbox-entry.ts'
import { statusNames } from '../../ui/status/statuses.ts'

/** Writes unsaved results as text, for the clipboard. */
export const describeEntries = (entries: readonly OutboxEntry[]): string =>
  entries
    .map(({ testCaseId, title, status, note }) => {
      const name = testCaseId === null ? title : `${testCaseId} ${title}`
      const line = `${name}: ${statusNames[status].toLowerCase()}`
      return typeof note === 'string' ? `${line}\n${note}` : line
    })
    .join('\n\n')
