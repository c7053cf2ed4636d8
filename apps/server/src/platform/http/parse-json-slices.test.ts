import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createJsonScanner } from './json-scanner.ts'
import { getTextSlices, parseJsonSlices } from './parse-json-slices.ts'

/** Parses in the smallest slices: one for each item of a list, and for each character of a text. */
async function parse(json: string): Promise<{ value: unknown; slices: string[] }> {
  const bytes = Buffer.from(json)
  const scanner = createJsonScanner(bytes, { bytes: 1, values: 1 })
  scanner.scanTo(bytes.length)
  const slices: string[] = []
  const value = await parseJsonSlices(bytes, scanner, async (text) => {
    slices.push(text)
    return JSON.parse(text) as unknown
  })
  return { value, slices }
}

/** Returns the parsed value in a list, because `undefined` is not JSON; null for malformed JSON. */
function parseAtOnce(json: string): [unknown] | null {
  try {
    return [JSON.parse(json)]
  } catch {
    return null
  }
}

const outermostObject = fc
  .dictionary(fc.string(), fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()), { maxKeys: 5 })
  .map((value) => JSON.stringify(value))

/** JSON with one part that is removed or replaced, mostly by syntax. */
const spoiled = fc
  .tuple(
    outermostObject,
    fc.nat(),
    fc.nat({ max: 2 }),
    fc.constantFrom('', ',', '[', ']', '{', '}', '"', '\\', '1', ' '),
  )
  .map(([json, at, count, insert]) => {
    const position = at % json.length
    return json.slice(0, position) + insert + json.slice(position + count)
  })

describe('parseJsonSlices', () => {
  it('parses the lists of the outermost object in slices', async () => {
    const { value, slices } = await parse('{"a":1,"list":[{"b":[1,2]},"x,y",3],"c":[]}')
    expect(value).toEqual({ a: 1, list: [{ b: [1, 2] }, 'x,y', 3], c: [] })
    expect(slices).toEqual(['{"a":1,"list":[0],"c":[1]}', '[{"b":[1,2]}]', '["x,y"]', '[3]', '[]'])
  })

  it('parses the texts of the outermost object in slices', async () => {
    const { value, slices } = await parse(String.raw`{"a":"x\"\u20ac\\","b" : "\ud83d\ude00" ,"long":1}`)
    expect(value).toEqual({ a: 'x"\u20ac\\', b: '\u{1f600}', long: 1 })
    expect(slices[0]).toBe('{"a":[0],"b" : [1] ,"long":1}')
    expect(slices.slice(1)).toEqual([
      '"x"',
      String.raw`"\""`,
      String.raw`"\u20ac"`,
      String.raw`"\\"`,
      String.raw`"\ud83d"`,
      String.raw`"\ude00"`,
    ])
    expect(getTextSlices(value as object, 'a', '')).toEqual(['x', '"', '\u20ac', '\\'])
    expect(getTextSlices(value as object, 'long', 'short')).toEqual(['short'])
  })

  it.each([
    ['a key that occurs twice', '{"a":[1,2],"a":[3,4]}'],
    ['a list that a later value replaces', '{"a":[1,2],"a":5}'],
    ['characters of several bytes', '{"a":["\u00FC\u{1F600}","\u20AC"],"\u00E9":[1,2]}'],
    ['white space everywhere', ' { "a" : [ 1 , [ 2 ] ] , "b" : [ ] } '],
    ['a list of lists', '[[1,2],[3,4]]'],
    ['a simple value', '5'],
  ])('returns what JSON.parse returns for %s', async (_what, json) => {
    expect((await parse(json)).value).toEqual(JSON.parse(json))
  })

  it.each([
    ['no item before a comma', '{"a":[,1]}'],
    ['no item after a comma', '{"a":[1,]}'],
    ['no item between commas', '{"a":[1,,2]}'],
    ['only a comma', '{"a":[,]}'],
    ['a list that ends as an object', '{"a":[1,2}}'],
    ['a list that does not end', '{"a":[1,2'],
    ['two values', '{"a":[1,2]}{"a":[1,2]}'],
    ['a list that ends twice', '{"a":[1,2]],"b":[3]}'],
  ])('rejects malformed JSON: %s', async (_what, json) => {
    await expect(parse(json)).rejects.toThrow(SyntaxError)
  })

  it('returns what JSON.parse returns for any JSON', async () => {
    await fc.assert(
      fc.asyncProperty(outermostObject, async (json) => {
        expect((await parse(json)).value).toEqual(JSON.parse(json))
      }),
    )
  })

  it('rejects exactly the JSON that JSON.parse rejects', async () => {
    await fc.assert(
      fc.asyncProperty(spoiled, async (json) => {
        const result = await parse(json).then(
          ({ value }) => [value],
          () => null,
        )
        expect(result).toEqual(parseAtOnce(json))
      }),
      { numRuns: 500 },
    )
  })
})
