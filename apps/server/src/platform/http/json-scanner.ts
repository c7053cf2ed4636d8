import { JSON_LIMIT } from '@caseward/contract/endpoint'

import { Problem } from './problems.ts'

/** A list that is a field of the outermost object. */
export interface OutermostList {
  /** Positions of the first byte inside of its brackets, and of the closing bracket. */
  start: number
  end: number
  /** Positions of commas between items, which divide the list into slices of limited size. */
  cuts: number[]
}

/** A long text that is a field of the outermost object, or a key of it: from its first quotation mark to behind its last. */
export interface OutermostText {
  start: number
  end: number
}

/** Reads JSON byte by byte, without parsing it, to find out whether parsing it is safe. */
export interface JsonScanner {
  /**
   * Continues up to a position.
   * @throws {Problem} 400 when the JSON exceeds one of {@link JSON_LIMIT}
   */
  scanTo(end: number): void
  /** Values that were counted so far. */
  getValueCount(): number
  /** The complete lists of the outermost object, in their order. */
  readonly lists: readonly OutermostList[]
  /** The texts of the outermost object that are longer than a slice, in their order. */
  readonly texts: readonly OutermostText[]
  /** The size of a slice of a text. */
  readonly sliceBytes: number
}

/** The size of a slice of a list: it is parsed in one call, in a few milliseconds. */
export interface SliceSize {
  bytes: number
  values: number
}

const DEFAULT_SLICE: SliceSize = { bytes: 65_536, values: 10_000 }

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Creates a scanner for JSON in UTF-8. It does not check the syntax: what it finds in malformed JSON has no meaning, and
 * parsing that JSON fails. Values are counted by the commas and opening brackets before them.
 */
export function createJsonScanner(bytes: Uint8Array, sliceSize: SliceSize = DEFAULT_SLICE): JsonScanner {
  const lists: OutermostList[] = []
  const texts: OutermostText[] = []
  /** The opening brackets that are not closed yet, by depth, and the number of keys of those that are objects. */
  const brackets: number[] = []
  const keys: number[] = []
  let position = 0
  let depth = 0
  let isInText = false
  let textStart = 0
  let values = 0
  /** The number of values before the current item. */
  let valuesBeforeItem = 0
  let list: OutermostList | null = null
  /** Where the current slice of the list starts, and the number of values before it. */
  let sliceStart = 0
  let valuesBeforeSlice = 0

  function checkValues(): void {
    if (values > JSON_LIMIT.values || values - valuesBeforeItem > JSON_LIMIT.valuesPerItem) throw tooManyValuesProblem()
  }

  function open(bracket: number, at: number): void {
    depth += 1
    if (depth > JSON_LIMIT.depth) throw tooDeepProblem()
    values += 1
    brackets[depth] = bracket
    keys[depth] = 1
    if (depth !== 2 || bracket !== OPEN_LIST || brackets[1] !== OPEN_OBJECT) return
    list = { start: at + 1, end: at + 1, cuts: [] }
    startItem()
    sliceStart = at + 1
    valuesBeforeSlice = values
  }

  function close(at: number): void {
    if (depth === 2 && list !== null) {
      list.end = at
      lists.push(list)
      list = null
      startItem()
    }
    depth = Math.max(0, depth - 1)
  }

  function endText(end: number): void {
    const isLong = end - textStart > sliceSize.bytes
    if (isLong && depth === 1 && brackets[1] === OPEN_OBJECT) texts.push({ start: textStart, end })
  }

  function startItem(): void {
    checkValues()
    valuesBeforeItem = values
  }

  function separate(at: number): void {
    values += 1
    if (brackets[depth] === OPEN_OBJECT) {
      const count = (keys[depth] ?? 0) + 1
      if (count > JSON_LIMIT.keys) throw tooManyKeysProblem()
      keys[depth] = count
    } else if (depth === 2 && list !== null) {
      startItem()
      if (at - sliceStart < sliceSize.bytes && values - valuesBeforeSlice < sliceSize.values) return
      list.cuts.push(at)
      sliceStart = at
      valuesBeforeSlice = values
    }
  }

  return {
    lists,
    texts,
    sliceBytes: sliceSize.bytes,
    getValueCount: () => values,
    scanTo(end) {
      let at = position
      if (isInText) {
        at = findQuote(bytes, at, end) + 1
        isInText = at > end
        if (!isInText) endText(at)
      }
      while (at < end) {
        const byte = bytes[at]
        if (byte === QUOTE) {
          textStart = at
          at = findQuote(bytes, at + 1, end)
          isInText = at >= end
          if (!isInText) endText(at + 1)
        } else if (byte === COMMA) separate(at)
        else if (byte === OPEN_OBJECT || byte === OPEN_LIST) open(byte, at)
        else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) close(at)
        at += 1
      }
      position = isInText ? at - 1 : at
      checkValues()
    },
  }
}

/**
 * Returns the position of the quotation mark that ends a text. Without one it is the end, or the position behind it when
 * a backslash was the last byte: the byte after it is part of the text.
 */
function findQuote(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end) {
    const byte = bytes[at]
    if (byte === QUOTE) return at
    at += byte === BACKSLASH ? 2 : 1
  }
  return at
}

const tooDeepProblem = () =>
  new Problem(
    400,
    'json_too_deep',
    `The JSON has more than ${JSON_LIMIT.depth} levels of objects and lists inside of each other. Send it with fewer levels.`,
  )

const tooManyKeysProblem = () =>
  new Problem(
    400,
    'json_too_many_keys',
    `An object of the JSON has more than ${formatCount(JSON_LIMIT.keys)} keys. Leave out fields that the endpoint does not document.`,
  )

const tooManyValuesProblem = () =>
  new Problem(
    400,
    'json_too_many_values',
    `The JSON has more than ${formatCount(JSON_LIMIT.values)} values, or more than ${formatCount(JSON_LIMIT.valuesPerItem)} in one item of a list or outside of lists. Send it in several requests, without fields that the endpoint does not document.`,
  )

const formatCount = (count: number) => count.toLocaleString('en')
