import { Readable } from 'node:stream'

/** A serialized response: its text, unless it is too long, and what is to be sent, which can be read only once. */
export interface ReadPayload {
  text: string | null
  payload: unknown
}

/** Reads the text of a serialized response up to a number of bytes. */
export async function readPayload(payload: unknown, maxBytes: number): Promise<ReadPayload> {
  if (payload instanceof Readable) return await readStream(payload, maxBytes)
  if (payload === null || payload === undefined) return { text: '', payload }
  if (!Buffer.isBuffer(payload) && typeof payload !== 'string') return { text: null, payload }
  return { text: Buffer.byteLength(payload) > maxBytes ? null : payload.toString(), payload }
}

async function readStream(stream: Readable, maxBytes: number): Promise<ReadPayload> {
  const chunks: Buffer[] = []
  let bytes = 0
  const iterator = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>
  for (;;) {
    const { done, value } = await iterator.next()
    if (done === true) {
      const text = Buffer.concat(chunks).toString()
      return { text, payload: text }
    }
    const chunk = Buffer.from(value)
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes)
      return { text: null, payload: Readable.from(continueStream(chunks, iterator), { objectMode: false }) }
  }
}

async function* continueStream(
  start: readonly Buffer[],
  rest: AsyncIterator<Buffer | string>,
): AsyncGenerator<Buffer | string> {
  yield* start
  for (;;) {
    const { done, value } = await rest.next()
    if (done === true) return
    yield value
  }
}
