import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { Readable } from 'node:stream'

/** A request with a body, over a connection that is kept. */
export interface FileRequest {
  url: string
  method: string
  body: Buffer | Readable
  byteCount: number
  headers?: Record<string, string>
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Sends a request. @returns the status and the JSON of the response */
export async function sendFile({ url, method, body, byteCount, headers = {} }: FileRequest) {
  return await new Promise<{ status: number; json: unknown; retryAfterSeconds: number }>((resolve, reject) => {
    const outgoing = request(url, { method, agent, headers: { ...headers, 'content-length': byteCount } })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({
          status: response.statusCode ?? 0,
          json: text === '' ? null : (JSON.parse(text) as unknown),
          retryAfterSeconds: Number(response.headers['retry-after'] ?? 1),
        })
      })
    })
    if (Buffer.isBuffer(body)) outgoing.end(body)
    else body.pipe(outgoing)
  })
}

/** Sends a request that must succeed. */
export async function requireFile(file: FileRequest): Promise<unknown> {
  const { status, json } = await sendFile(file)
  if (status >= 300) throw new Error(`${file.method} ${file.url}: ${status} ${JSON.stringify(json)}`)
  return json
}

const base = randomBytes(8 * 1024 * 1024)
let contents = 0

/** A content that no other one equals, and that begins like a picture. */
export function createContent(byteCount: number): Buffer {
  const content = Buffer.from(base.subarray(0, byteCount))
  Buffer.from('89504e470d0a1a0a', 'hex').copy(content)
  content.writeUInt32BE((contents += 1), 16)
  return content
}

/** A content of which only a little is in memory. */
export const createStream = (byteCount: number): Readable =>
  Readable.from(
    (function* () {
      const first = createContent(65_536)
      for (let offset = 0; offset < byteCount; offset += first.length) {
        yield offset === 0 ? first : base.subarray(0, Math.min(first.length, byteCount - offset))
      }
    })(),
  )

/** Does a number of things, some at the same time. */
export async function repeat(
  count: number,
  parallel: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const takeTurns = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: parallel }, takeTurns))
}
