import type { ProblemReply, Unreachable, Unreadable } from '@caseward/client'

/*
 * How a content is sent in parts. For the reporters, the command and the web app: nothing here needs Node.js, and the requests
 * are those of the caller.
 */

export type FailedReply = ProblemReply | Unreadable | Unreachable

const MEBIBYTE = 1_048_576

/** A larger content is sent in parts, so that little of it is in memory, and a lost connection costs one part. */
export const PART_BYTES = 8 * MEBIBYTE
/** A proxy that refuses smaller parts refuses all. */
const SMALLEST_PART_BYTES = MEBIBYTE / 2

const TOO_LARGE = 413
const NOT_FOUND = 404

/** Bytes of a content for one request. */
export interface ContentPart {
  readonly start: number
  readonly end: number
  /** The header `Content-Range`; null if it is the whole content. */
  readonly range: string | null
}

/** A reply to a part. With `unread`, its bytes could not be read, and nothing was sent. */
type PartReply = { readonly kind: 'success'; readonly status: number } | FailedReply | { readonly kind: 'unread' }

/**
 * Sends a content, in parts if it is large, if it must be, or if a proxy refuses it as a whole.
 * @param start how much of it the server has already
 * @param send sends one part
 * @returns the reply that ended it: a success other than 202 (more parts follow), or the failure of a part
 */
export async function sendInParts<Reply extends PartReply>(
  { byteCount, start = 0, mustSplit = byteCount > PART_BYTES }: ContentToSend,
  send: (part: ContentPart) => Promise<Reply>,
): Promise<Reply> {
  let partBytes = PART_BYTES
  let isInParts = mustSplit
  // Of a content that the server has, any part asks for its reply.
  let offset = isInParts ? Math.max(0, Math.min(start, byteCount - 1)) : 0
  for (;;) {
    const end = isInParts ? Math.min(byteCount, offset + partBytes) : byteCount
    const range = isInParts ? `bytes ${offset}-${end - 1}/${byteCount}` : null
    const reply = await send({ start: offset, end, range })
    if (reply.kind === 'success' && 'status' in reply && reply.status === 202) {
      offset = end
      continue
    }
    const received = getReceived(reply)
    if (received !== null && received < byteCount && received !== offset) {
      // Another process has sent a part, or the server has one whose response was lost.
      offset = received
    } else if (isRefusedByProxy(reply) && partBytes > SMALLEST_PART_BYTES) {
      // A proxy has a limit of its own.
      partBytes = Math.max(SMALLEST_PART_BYTES, Math.min(partBytes, byteCount) / 2)
      isInParts = true
    } else return reply
  }
}

export interface ContentToSend {
  readonly byteCount: number
  readonly start?: number
  /** Whether it is sent in parts whatever its size. */
  readonly mustSplit?: boolean
}

/** The requests of a file upload: one that is attached when it is complete. */
export interface FileUploadRequests<Reply> {
  /** Begins an upload. */
  begin(): Promise<{ readonly id: string } | FailedReply>
  /** Returns how much of an upload the server has. */
  readReceived(id: string): Promise<number | FailedReply>
  sendPart(id: string, part: ContentPart): Promise<Reply>
}

/**
 * Sends a file that is to be attached, or goes on with it.
 * @param id of the upload that was begun earlier, on this or another server; null for a new one
 * @returns the reply to the last part, or the failure that ended it
 */
export async function sendFileUpload<Reply extends PartReply>(
  { byteCount, id }: { readonly byteCount: number; readonly id: string | null },
  { begin, readReceived, sendPart }: FileUploadRequests<Reply>,
): Promise<Reply | FailedReply> {
  const received = id === null ? 0 : await readReceived(id)
  if (id !== null && typeof received === 'number') {
    const reply = await sendInParts({ byteCount, start: received, mustSplit: true }, (part) => sendPart(id, part))
    if (!isGone(reply)) return reply
  } else if (typeof received === 'object' && !isGone(received)) return received
  // Nothing was begun, or its time is over.
  const begun = await begin()
  if (!('id' in begun)) return begun
  return await sendInParts({ byteCount, mustSplit: true }, (part) => sendPart(begun.id, part))
}

const isGone = (reply: PartReply): boolean => 'status' in reply && reply.status === NOT_FOUND

/** Whether a proxy, and not the server, has refused a request because of its size. */
export const isRefusedByProxy = (reply: PartReply): boolean => reply.kind === 'unreadable' && reply.status === TOO_LARGE

/** Says what to do when a proxy refuses parts of any size. */
export const REFUSED_BY_PROXY = 'a proxy rejected it because of its size (413): in nginx, set client_max_body_size 33m'

/** How much of a content in parts the server has, if it expects another part. */
function getReceived(reply: PartReply): number | null {
  if (reply.kind !== 'problem' || reply.problem.code !== 'wrong_offset') return null
  const received: unknown = Reflect.get(reply.problem, 'received')
  return Number.isSafeInteger(received) ? Number(received) : null
}
