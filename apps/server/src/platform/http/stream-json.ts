import { Readable } from 'node:stream'

import { createYielder } from '../yielder.ts'

/** Items that are made into JSON at one go. */
const ITEMS_PER_CHUNK = 200

/**
 * The JSON of an object whose last field is a list of perhaps a hundred thousand items, made as it goes out: made at one
 * go it would hold up everybody else's requests.
 */
export function streamJson(fields: object, list: string, items: readonly object[]): Readable {
  return Readable.from(parts(fields, list, items), { objectMode: false })
}

async function* parts(fields: object, list: string, items: readonly object[]): AsyncGenerator<string> {
  const turns = createYielder(1)
  yield `${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(list)}:[`
  for (let from = 0; from < items.length; from += ITEMS_PER_CHUNK) {
    if (turns.shouldYield()) await turns.yield()
    const some = JSON.stringify(items.slice(from, from + ITEMS_PER_CHUNK)).slice(1, -1)
    yield from === 0 ? some : `,${some}`
  }
  yield ']}'
}
