import { createYielder } from '../yielder.ts'
import type { JsonScanner, OutermostList, OutermostText } from './json-scanner.ts'

/** Parses a text. @throws when it is not JSON */
export type ParseText = (text: string) => Promise<unknown>

/** The slices of long texts, by their field, of the objects that were parsed here. */
const slicesByObject = new WeakMap<object, Map<string, readonly string[]>>()

/**
 * Returns a text of a parsed body in slices. Joined, a text of 10 MB takes new memory as a whole as soon as one character of it is
 * read, which blocks the event loop for 30 ms.
 */
export const getTextSlices = (body: object, field: string, text: string): readonly string[] =>
  slicesByObject.get(body)?.get(field) ?? [text]

/**
 * Parses JSON whose outermost object has long lists or texts, in slices between which other requests run. The result is that
 * of parsing it in one call, and what is malformed as a whole is malformed in a slice, too.
 * @param scanned all lists and long texts of the outermost object, as the scanner finds them
 * @throws what `parseText` throws for a slice that is not JSON
 */
export async function parseJsonSlices(
  bytes: Buffer,
  { lists, texts, sliceBytes }: Pick<JsonScanner, 'lists' | 'texts' | 'sliceBytes'>,
  parseText: ParseText,
): Promise<unknown> {
  const yielder = createYielder(1)
  const parse = async (text: string) => {
    if (yielder.shouldYield()) await yielder.yield()
    return await parseText(text)
  }
  const longTexts = texts.filter(({ end }) => !isBeforeColon(bytes, end))
  const parts = [...lists, ...longTexts].toSorted((a, b) => a.start - b.start)
  const outermost = await parse(cutOut(bytes, parts))
  const parsed: (ParsedList | ParsedText)[] = []
  for (const part of parts) {
    parsed.push(
      isList(part)
        ? { items: await parseList(bytes, part, parse) }
        : { slices: await parseLongText(bytes, part, sliceBytes, parse) },
    )
  }
  if (parts.length === 0) return outermost
  // Every list among its fields was cut out, or stands for a text. One whose key occurs again later is dropped, as by JSON.parse.
  const fields = outermost as Record<string, unknown>
  const slices = new Map<string, readonly string[]>()
  for (const [key, value] of Object.entries(fields)) {
    if (!Array.isArray(value)) continue
    const part = parsed[value[0] as number]
    if (part === undefined) continue
    fields[key] = 'items' in part ? part.items : concatenate(part.slices)
    if ('slices' in part) slices.set(key, part.slices)
  }
  if (slices.size > 0) slicesByObject.set(fields, slices)
  return outermost
}

interface ParsedList {
  items: unknown[]
}

interface ParsedText {
  slices: readonly string[]
}

/** By `+`, which only refers to the slices until a character is read; `join` would copy them. */
function concatenate(slices: readonly string[]): string {
  let text = ''
  for (const slice of slices) text += slice
  return text
}

const isList = (part: OutermostList | OutermostText): part is OutermostList => 'cuts' in part

/** Returns the JSON with the index of each list instead of its items, and such a list for a text: `{"results":[0]}`. */
function cutOut(bytes: Buffer, parts: readonly (OutermostList | OutermostText)[]): string {
  const pieces: string[] = []
  let position = 0
  for (const [index, part] of parts.entries()) {
    pieces.push(bytes.toString('utf8', position, part.start), isList(part) ? String(index) : `[${index}]`)
    position = part.end
  }
  pieces.push(bytes.toString('utf8', position))
  return pieces.join('')
}

const COLON = 0x3a
const LAST_SPACE = 0x20

/** Whether a text is a key, after which a colon stands. */
function isBeforeColon(bytes: Buffer, end: number): boolean {
  let at = end
  while (at < bytes.length && (bytes[at] ?? 0) <= LAST_SPACE) at += 1
  return bytes[at] === COLON
}

async function parseLongText(
  bytes: Buffer,
  { start, end }: OutermostText,
  sliceBytes: number,
  parse: ParseText,
): Promise<string[]> {
  const slices: string[] = []
  const last = end - 1
  for (let at = start + 1; at < last;) {
    const sliceEnd = findCharacterStart(bytes, at, Math.min(at + sliceBytes, last), last)
    slices.push((await parse(`"${bytes.toString('utf8', at, sliceEnd)}"`)) as string)
    at = sliceEnd
  }
  return slices
}

const BACKSLASH = 0x5c
const LOWERCASE_U = 0x75
/** `\u20ac` and `\n`. */
const CODE_ESCAPE_BYTES = 6
const ESCAPE_BYTES = 2

/** Returns the first position from `target` on where a character or escape sequence starts, reading from one such position. */
function findCharacterStart(bytes: Buffer, from: number, target: number, last: number): number {
  let at = from
  while (at < target) {
    if (bytes[at] !== BACKSLASH) at += 1
    else at += bytes[at + 1] === LOWERCASE_U ? CODE_ESCAPE_BYTES : ESCAPE_BYTES
  }
  while (at < last && isContinuation(bytes[at] ?? 0)) at += 1
  return Math.min(at, last)
}

/** Whether a byte of UTF-8 continues a character. */
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80

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
