import { toBytes, type Reply } from './send.ts'
import type { FuzzRequest } from './requests.ts'

const SHOWN = 2000

/** A request as text, such that it can be made again by hand. */
export function formatRequest({ method, path, headers, payload }: FuzzRequest, url: string): string {
  const lines = [`${method} ${url}${path}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  if (payload === null) return lines.join('\n')
  const bytes = toBytes(payload)
  const body = payload.as === 'utf8' ? JSON.stringify(bytes.toString()) : `base64 ${bytes.toString('base64')}`
  return [
    ...lines,
    '',
    `body, ${bytes.length} bytes${payload.isChunked === true ? ' in chunks' : ''}: ${cut(body)}`,
  ].join('\n')
}

export const formatReply = ({ status, headers, body }: Reply): string =>
  `${status} ${String(headers['content-type'] ?? 'without a type')}\n${cut(body.toString())}`

const cut = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} in all)` : text)
