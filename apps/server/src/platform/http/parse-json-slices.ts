import { createYielder } from '../yielder.ts'
import type { OutermostList } from './json-scanner.ts'

/** Parses a text. @throws when it is not JSON */
export type ParseText = (text: string) => Promise<unknown>

/**
 * Parses JSON whose outermost object has long lists, in slices between which other requests run. The result is that of
 * parsing it in one call, and what is malformed as a whole is malformed in a slice, too.
 * @param lists all lists of the outermost object, as the scanner finds them
 * @throws what `parseText` throws for a slice that is not JSON
 */
export async function parseJsonSlices(
  bytes: Buffer,
  lists: readonly OutermostList[],
  parseText: ParseText,
): Promise<unknown> {
  const yielder = createYielder(1)
  const parse = async (text: string) => {
    if (yielder.shouldYield()) await yielder.yield()
    return await parseText(text)
  }
  const outermost = await parse(cutOutLists(bytes, lists))
  const parsedLists: unknown[][] = []
  for (const list of lists) parsedLists.push(await parseList(bytes, list, parse))
  if (lists.length === 0) return outermost
  // Every list among its fields was cut out. A list whose key occurs again later is dropped, as by JSON.parse.
  const fields = outermost as Record<string, unknown>
  for (const [key, value] of Object.entries(fields)) {
    if (Array.isArray(value)) fields[key] = parsedLists[value[0] as number]
  }
  return outermost
}

/** Returns the JSON with the index of each list instead of its items: `{"results":[0]}`. */
function cutOutLists(bytes: Buffer, lists: readonly OutermostList[]): string {
  const parts: string[] = []
  let position = 0
  for (const [index, { start, end }] of lists.entries()) {
    parts.push(bytes.toString('utf8', position, start), String(index))
    position = end
  }
  parts.push(bytes.toString('utf8', position))
  return parts.join('')
}

async function parseList(bytes: Buffer, { start, end, cuts }: OutermostList, parse: ParseText): Promise<unknown[]> {
  const items: unknown[] = []
  let sliceStart = start
  for (const sliceEnd of [...cuts, end]) {
    const slice = (await parse(`[${bytes.toString('utf8', sliceStart, sliceEnd)}]`)) as unknown[]
    // There must be an item beside each comma. Parsing the comma fails.
    if (slice.length === 0 && cuts.length > 0) await parse(',')
    for (const item of slice) items.push(item)
    sliceStart = sliceEnd + 1
  }
  return items
}
