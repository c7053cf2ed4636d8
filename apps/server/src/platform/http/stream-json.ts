import { Readable } from 'node:stream'

import { createYielder } from '../yielder.ts'

const ITEMS_PER_CHUNK = 200

/**
 * Streams the JSON of an object whose last field is a list of up to a hundred thousand items. Serializing it in one call
 * would block all other requests.
 */
export function streamJson(fields: object, list: string, items: readonly object[]): Readable {
  return Readable.from(generateChunks(fields, list, items), { objectMode: false })
}

async function* generateChunks(fields: object, list: string, items: readonly object[]): AsyncGenerator<string> {
  const yielder = createYielder(1)
  yield `${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(list)}:[`
  for (let from = 0; from < items.length; from += ITEMS_PER_CHUNK) {
    if (yielder.shouldYield()) await yielder.yield()
    const chunk = JSON.stringify(items.slice(from, from + ITEMS_PER_CHUNK)).slice(1, -1)
    yield from === 0 ? chunk : `,${chunk}`
  }
  yield ']}'
}
