import { isUtf8 } from 'node:buffer'

import type { FileKind } from '@caseward/contract/attachment-schemas'
import { fileTypeFromBuffer } from 'file-type'
import { imageSize } from 'image-size'

/** What a content is, as far as the server serves it. */
export interface DetectedType {
  kind: FileKind
  mediaType: string
  /** Of an image, in pixels. */
  width: number | null
  height: number | null
}

/** Enough for every signature that is looked for. */
const SIGNATURE_BYTES = 4096
/** Decoding a larger image takes more memory than a browser may have. */
const MAX_PIXELS = 50_000_000

const TEXT_TYPE = 'text/plain; charset=utf-8'
const DOWNLOAD_TYPE = 'application/octet-stream'

/** The types that browsers show, by those that are found. All others are text or a download. */
const SHOWN_TYPES = new Map<string, { kind: FileKind; mediaType: string }>([
  ['image/png', { kind: 'image', mediaType: 'image/png' }],
  ['image/apng', { kind: 'image', mediaType: 'image/png' }],
  ['image/jpeg', { kind: 'image', mediaType: 'image/jpeg' }],
  ['image/gif', { kind: 'image', mediaType: 'image/gif' }],
  ['image/webp', { kind: 'image', mediaType: 'image/webp' }],
  ['image/avif', { kind: 'image', mediaType: 'image/avif' }],
  ['video/mp4', { kind: 'video', mediaType: 'video/mp4' }],
  ['video/webm', { kind: 'video', mediaType: 'video/webm' }],
  ['audio/mpeg', { kind: 'audio', mediaType: 'audio/mpeg' }],
  ['audio/ogg', { kind: 'audio', mediaType: 'audio/ogg' }],
  ['audio/ogg; codecs=opus', { kind: 'audio', mediaType: 'audio/ogg' }],
  ['audio/wav', { kind: 'audio', mediaType: 'audio/wav' }],
])

/** Whether a content of this media type is a text. */
export const isTextType = (mediaType: string): boolean => mediaType === TEXT_TYPE

/** Found in texts that could be active: they are text. */
const TEXT_SIGNATURES: ReadonlySet<string | undefined> = new Set([undefined, 'application/xml', 'image/svg+xml'])

/**
 * Decides what a content is from its first bytes, never from what the client says of it. The name or the client only tells a
 * trace of Playwright from other ZIP files.
 * @param head the first 64 KB
 */
export async function detectType(
  head: Buffer,
  byteCount: number,
  name: string,
  { isTrace = name.endsWith('trace.zip') }: { isTrace?: boolean | undefined } = {},
): Promise<DetectedType> {
  // Otherwise, the mark of UTF-16 would be taken for the beginning of an MP3 file.
  if (hasUtf16Mark(head)) return { kind: 'text', mediaType: TEXT_TYPE, width: null, height: null }
  const signature = head.subarray(0, SIGNATURE_BYTES)
  const found = (await fileTypeFromBuffer(signature).catch(() => undefined))?.mime
  const shown = found === undefined ? undefined : SHOWN_TYPES.get(found)
  if (shown?.kind === 'image') return { ...shown, ...readSize(head) } satisfies DetectedType | SizedDownload
  if (shown !== undefined) return { ...shown, width: null, height: null }
  const mediaType = found === 'application/zip' && isTrace ? found : null
  if (mediaType !== null) return { kind: 'trace', mediaType, width: null, height: null }
  const isText = TEXT_SIGNATURES.has(found) && hasText(head, byteCount)
  return { kind: isText ? 'text' : 'other', mediaType: isText ? TEXT_TYPE : DOWNLOAD_TYPE, width: null, height: null }
}

/** An image whose size is unknown or too large is a download. */
type SizedDownload = Pick<DetectedType, 'width' | 'height'> & Partial<DetectedType>

function readSize(head: Buffer): SizedDownload {
  const download = { kind: 'other', mediaType: DOWNLOAD_TYPE, width: null, height: null } as const
  try {
    const { width, height } = imageSize(head)
    return width > 0 && height > 0 && width * height <= MAX_PIXELS ? { width, height } : download
  } catch {
    return download
  }
}

const hasUtf16Mark = (head: Buffer): boolean => /^(?:fffe|feff)$/.test(head.subarray(0, 2).toString('hex'))

/** Whether the first bytes are UTF-8 without NUL. */
function hasText(head: Buffer, byteCount: number): boolean {
  if (head.includes(0)) return false
  if (byteCount <= head.length) return isUtf8(head)
  // The last character may be cut.
  return [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, head.length - cut)))
}
