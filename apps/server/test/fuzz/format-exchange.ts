import { toBytes, type RawResponse } from './raw-http.ts'
import type { FuzzRequest } from './requests.ts'

const MAX_LENGTH = 2000

/** Formats a request so that it can be repeated manually. */
export function formatRequest({ method, path, headers, payload }: FuzzRequest, url: string): string {
  const lines = [`${method} ${url}${path}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  if (payload === null) return lines.join('\n')
  const bytes = toBytes(payload)
  const body = payload.encoding === 'utf8' ? JSON.stringify(bytes.toString()) : `base64 ${bytes.toString('base64')}`
  return [
    ...lines,
    '',
    `body, ${bytes.length} bytes${payload.isChunked === true ? ' in chunks' : ''}: ${truncate(body)}`,
  ].join('\n')
}

/** Formats a response with the beginning of its body. */
export const formatResponse = ({ status, headers, body }: RawResponse): string =>
  `${status} ${String(headers['content-type'] ?? 'without a content type')}\n${truncate(body.toString())}`

const truncate = (text: string) =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}… (${text.length} in total)` : text
