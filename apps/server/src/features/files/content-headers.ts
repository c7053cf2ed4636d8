import type { FileKind } from '@caseward/contract/attachment-schemas'

const SHOWN_IN_PLACE: ReadonlySet<string> = new Set(['image', 'video', 'audio'])

/** Whether a browser shows a content of this media type; anything else is downloaded. */
export const isShownInPlace = (mediaType: string): boolean =>
  SHOWN_IN_PLACE.has(mediaType.split('/', 1)[0] satisfies string | undefined as FileKind)

/** Characters that a file system or a header does not take, and those that change the direction of text. */
const UNSAFE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff/\\:*?"<>|]/gu

/** Replaces the characters of a name that could name another file or hide its ending. */
export const toSafeName = (name: string): string => name.replaceAll(UNSAFE, '_').trim() || 'file'

/** Builds `Content-Disposition` (RFC 6266, RFC 8187). */
export function formatDisposition(mediaType: string, name: string, isDownload: boolean): string {
  const type = isDownload || !isShownInPlace(mediaType) ? 'attachment' : 'inline'
  const safeName = toSafeName(name)
  const ascii = safeName.replaceAll(/[^\x20-\x7e]|%/g, '_')
  const encoded = encodeURIComponent(safeName).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  return `${type}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/**
 * The headers of every content. Whatever it is, a browser runs nothing of it: it takes the media type as it is, and a page
 * would have no rights and no origin. Rights are checked for each view, so that no cache answers without asking.
 */
const CONTENT_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-cache',
  'accept-ranges': 'bytes',
} as const

/** @param isCrossOrigin whether pages of another host name show the content */
export const getContentHeaders = (isCrossOrigin: boolean) => ({
  ...CONTENT_HEADERS,
  'cross-origin-resource-policy': isCrossOrigin ? 'cross-origin' : 'same-origin',
})
