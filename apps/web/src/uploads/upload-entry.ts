import { UPLOAD_PREFIX } from './has-uploads.ts'

/** Where a file is attached. */
export type FilePlace =
  | { readonly kind: 'run'; readonly projectId: string; readonly runId: string }
  | {
      readonly kind: 'result'
      readonly projectId: string
      readonly runId: string
      readonly resultId: string
      /** The place of a combination of the result; missing for the result as a whole. */
      readonly combination?: number
    }
  | { readonly kind: 'case'; readonly projectId: string; readonly caseId: string }

/** A file that is to be attached, and is not on the server yet. Its content is kept apart, see `BlobStore`. */
export interface UploadEntry {
  readonly id: string
  readonly place: FilePlace
  readonly name: string
  readonly byteCount: number
  /** Media type that the browser knows, to show a picture before it is sent. The server finds its own. */
  readonly mediaType: string
  /** Entries are sent in this order. */
  readonly order: number
  /** `Idempotency-Key`: a response that was lost does not attach the file twice. Another one after a refusal. */
  readonly key: string
  /** Why the server refused it; it is not sent again until the user decides. */
  readonly problem: string | null
  /** The upload in parts that has begun; null for none. */
  readonly fileUploadId: string | null
  /** Item of the draft of the comment that shows it; null for a file of its own. */
  readonly comment: string | null
}

/** The keys in storage of a user's entries start with this. */
export const getUploadPrefix = (userId: string): string => `${UPLOAD_PREFIX}${encodeURIComponent(userId)}:`

/** Returns a text that is equal for equal places. */
export function getPlaceKey(place: FilePlace): string {
  if (place.kind === 'case') return `case ${place.projectId} ${place.caseId}`
  if (place.kind === 'run') return `run ${place.runId}`
  const part = place.combination === undefined ? '' : ` ${place.combination}`
  return `result ${place.runId} ${place.resultId}${part}`
}

/** Parses an entry of this or an older version of the app. @returns null if it is not one */
export function parseUpload(value: unknown): UploadEntry | null {
  if (typeof value !== 'object' || value === null) return null
  const entry = value as Partial<UploadEntry>
  const hasTexts = [entry.id, entry.name, entry.key, entry.mediaType].every((text) => typeof text === 'string')
  const hasNumbers = typeof entry.order === 'number' && typeof entry.byteCount === 'number'
  if (!hasTexts || !hasNumbers || !isPlace(entry.place)) return null
  const { problem = null, fileUploadId = null, comment = null } = entry
  return { ...(entry as UploadEntry), problem, fileUploadId, comment }
}

function isPlace(place: FilePlace | undefined): boolean {
  if (typeof place?.projectId !== 'string') return false
  if (place.kind === 'case') return typeof place.caseId === 'string'
  return typeof place.runId === 'string' && (place.kind === 'run' || typeof place.resultId === 'string')
}
