import { formatNumberOf } from '../../ui/format-count.ts'
import type { UploadEntry } from '../../uploads/upload-entry.ts'
import type { UploadsSnapshot } from '../../uploads/uploads.ts'

export interface UploadsMessage {
  readonly text: string
  readonly canRetry: boolean
}

/** Describes the files of a place that wait. @returns null if there are none, or all were refused, which their tiles say */
export function describeUploads(
  entries: readonly UploadEntry[],
  progress: UploadsSnapshot['progress'],
  { phase, message, unstoredCount }: Pick<UploadsSnapshot, 'phase' | 'message' | 'unstoredCount'>,
): UploadsMessage | null {
  const waiting = entries.filter(({ problem }) => problem === null)
  if (waiting.length === 0) return null
  const files = formatNumberOf(waiting.length, 'file')
  if (phase === 'session-ended') return { text: `Your session ended. Sign in to send ${files}.`, canRetry: false }
  if (phase === 'other-user') {
    return { text: `Someone else is signed in. Sign in with your account to send ${files}.`, canRetry: false }
  }
  const isInMemory = unstoredCount > 0 && phase !== 'sending'
  const keepOpen = isInMemory ? ' This browser has no room to keep them: keep this tab open.' : ''
  if (phase === 'retrying' || phase === 'stopped') {
    return { text: `${files} not sent yet, trying again. ${message ?? ''}${keepOpen}`.trim(), canRetry: true }
  }
  const sending = waiting.filter(({ id }) => progress.has(id)).length
  if (sending === 0) return { text: `${files} waiting until results are saved`, canRetry: false }
  return { text: sending === waiting.length ? `Sending ${files}…` : `Sending ${sending} of ${files}…`, canRetry: false }
}
