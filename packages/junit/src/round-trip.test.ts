import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createJUnitParser, JUnitError, type JUnitReport } from './parse-junit.ts'

// Property tests with an independent writer of JUnit XML, which shares no code with the parser.

interface Detail {
  kind: 'failure' | 'error' | 'skipped' | 'flakyFailure' | 'flakyError' | 'rerunFailure' | 'rerunError'
  type: string
  message: string
  text: string
}
interface Case {
  is: 'case'
  name: string
  classname: string
  seconds: number | null
  details: Detail[]
  caseIds: string[]
}
interface SuiteFailure {
  is: 'error'
  kind: 'failure' | 'error'
  type: string
  message: string
  text: string
}
interface Suite {
  is: 'suite'
  name: string
  children: (Case | SuiteFailure | Suite)[]
}
/** How a report is written, apart from its content. */
interface Style {
  cdata: boolean
  quote: '"' | "'"
  prefix: string
  noise: string
  bareRoot: boolean
  prolog: string
}

const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'Z', '0', ' ', '<', '>', '&', '"', "'", ']', '[', '=', '/', ';', '#') },
  {
    weight: 3,
    arbitrary: fc.constantFrom('\n', '\t', ']]>', '<!--', '-->', '&amp;', '&#27;', '{', 'é', '你', '😀', '\u00a0'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
)
// Characters that XML cannot contain, and those that the parser removes, have tests of their own.
// oxlint-disable-next-line no-control-regex
const unwritable = /[\0-\u0008\u000b-\u001f\ufffe\uffff\p{Surrogate}]|#x1B\[/u
const plainText = fc
  .array(character, { maxLength: 30 })
  .map((characters) => characters.join('').trim())
  .filter((text) => !unwritable.test(text))

const seconds = fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }).map(Math.abs))
const kinds = ['failure', 'error', 'skipped', 'flakyFailure', 'flakyError', 'rerunFailure', 'rerunError'] as const
const detail = fc.record({ kind: fc.constantFrom(...kinds), type: plainText, message: plainText, text: plainText })
const anyIds = fc.uniqueArray(fc.stringMatching(/^[A-Z]{2,5}-[1-9]\d{0,4}$/), { maxLength: 3 })

const { anySuite } = fc.letrec<{ anySuite: Suite; child: Suite['children'][number] }>((tie) => ({
  anySuite: fc.record({
    is: fc.constant('suite' as const),
    name: plainText,
    children: fc.array(tie('child'), { maxLength: 5 }),
  }),
  child: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({
      is: fc.constant('case' as const),
      name: plainText,
      classname: plainText,
      seconds,
      details: fc.array(detail, { maxLength: 3 }),
      caseIds: anyIds,
    }),
    fc.record({
      is: fc.constant('error' as const),
      kind: fc.constantFrom('failure' as const, 'error' as const),
      type: plainText,
      message: plainText,
      text: plainText,
    }),
    tie('anySuite'),
  ),
}))

const style: fc.Arbitrary<Style> = fc.record({
  cdata: fc.boolean(),
  quote: fc.constantFrom('"' as const, "'" as const),
  prefix: fc.constantFrom('', 'j:'),
  noise: fc.constantFrom('', '\n  ', '<!-- <testcase/> & -->', '<?page break?>', '\r\n<properties/>'),
  bareRoot: fc.boolean(),
  prolog: fc.constantFrom(
    '',
    '<?xml version="1.0"?>',
    '\ufeff<?xml version="1.0" encoding="utf-16"?>\n',
    '\n\n<?xml version="1.1" encoding="UTF-8" standalone="yes"?><?xml-stylesheet href="x"?><!DOCTYPE testsuites>\n',
  ),
})

function write(suite: Suite, { cdata, quote, prefix, noise, bareRoot, prolog }: Style): string {
  const escape = (text: string) =>
    text.replaceAll(/[<>&"'\n\t]/g, (char) => `&#${char === '\n' ? 'xA' : char.charCodeAt(0)};`)
  const attributes = (values: Record<string, string>) =>
    Object.entries(values)
      .map(([name, value]) => ` ${name}=${quote}${escape(value)}${quote}`)
      .join('')
  const content = (text: string) => (cdata ? `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>` : escape(text))
  const element = (name: string, values: Record<string, string>, inner: string) =>
    inner === ''
      ? `<${prefix}${name}${attributes(values)}/>`
      : `<${prefix}${name}${attributes(values)} >${inner}</${prefix}${name}\n>`
  const failure = ({ kind, type, message, text }: Detail) => element(kind, { type, message }, content(text))

  function child(node: Suite['children'][number]): string {
    if (node.is === 'error') return failure(node)
    if (node.is === 'suite')
      return element('testsuite', { name: node.name }, noise + node.children.map(child).join(noise))
    const time: Record<string, string> = node.seconds === null ? {} : { time: String(node.seconds) }
    const ids = node.caseIds.map((value) => element('property', { name: 'test_id', value }, '')).join(noise)
    const inner = element('properties', {}, ids) + noise + node.details.map(failure).join(noise)
    return element('testcase', { name: node.name, tests: '9', classname: node.classname, ...time }, inner)
  }

  const body = bareRoot ? child(suite) : element('testsuites', {}, noise + child(suite) + noise)
  const isElement = noise.includes('<properties')
  return prolog + body + (isElement ? '' : noise)
}

/**
 * Returns the result that the contract specifies for a suite.
 * @param counter the number of suites before this one, `<testsuites>` included
 */
function toExpectedReport(
  suite: Suite,
  counter: { suites: number },
  parentName = '',
  parentNames: readonly string[] = [],
): { attempts: object[]; suiteErrors: object[] } {
  const suiteName = suite.name === '' ? parentName : suite.name
  const names = suite.name === '' ? parentNames : [...parentNames, suite.name]
  counter.suites += 1
  const suiteNumber = counter.suites
  const attempts: object[] = []
  const suiteErrors: object[] = []
  for (const node of suite.children) {
    if (node.is === 'suite') {
      const inner = toExpectedReport(node, counter, suiteName, names)
      attempts.push(...inner.attempts)
      suiteErrors.push(...inner.suiteErrors)
    } else if (node.is === 'error') {
      const { kind, type, message, text } = node
      suiteErrors.push({ kind, type, message, text, suite: suiteName })
    } else {
      const has = (...anyOf: Detail['kind'][]) => node.details.some(({ kind }) => anyOf.includes(kind))
      const status = has('failure', 'error') ? 'failed' : has('skipped') ? 'skipped' : 'passed'
      const isFlaky = status === 'passed' && has('flakyFailure', 'flakyError')
      const { name, classname, details, caseIds } = node
      const identity = { name, classname, suite: suiteNumber, names }
      attempts.push({ ...identity, status, isFlaky, elapsedSeconds: node.seconds, details, caseIds, evidence: null })
    }
  }
  return { attempts, suiteErrors }
}

/** Removes fields that the writer does not know: lines, files, times, and whether a text was truncated. */
function withoutLines({ attempts, suiteErrors }: JUnitReport): object {
  const withNames = attempts.map(({ name, classname, suite, context, ...others }) => {
    const { file: _file, startedAt: _startedAt, unknownStatus: _unknown, retryMark: _mark, ...known } = others
    return { name, classname, suite, names: context.names, ...known }
  })
  return JSON.parse(
    JSON.stringify({ attempts: withNames, suiteErrors }, (key, value: unknown) =>
      key === 'line' || key === 'isTruncated' ? undefined : value,
    ),
  )
}

function parseOrGetError(pieces: Iterable<Uint8Array | string>): unknown {
  const parser = createJUnitParser()
  try {
    for (const piece of pieces) parser.write(piece)
    return parser.end()
  } catch (error) {
    if (!(error instanceof JUnitError)) throw error
    const { code, message, line, column } = error
    return { code, message, line, column }
  }
}

function split<Whole extends { slice(start: number, end?: number): Whole; length: number }>(
  whole: Whole,
  cuts: number[],
): Whole[] {
  const offsets = [0, ...cuts.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b), whole.length]
  return offsets.slice(1).map((end, index) => whole.slice(offsets[index] ?? 0, end))
}

/** Long enough for a small machine that runs other tests at the same time. */
const slow = { timeout: 60_000 }

const cuts = fc.array(fc.nat(), { maxLength: 12 })

describe('the JUnit parser', () => {
  it('returns what an independent writer has written', slow, () => {
    fc.assert(
      fc.property(anySuite, style, (suite, suiteStyle) => {
        const parser = createJUnitParser()
        parser.write(write(suite, suiteStyle))
        expect(withoutLines(parser.end())).toEqual(toExpectedReport(suite, { suites: suiteStyle.bareRoot ? 0 : 1 }))
      }),
      { numRuns: 200 },
    )
  })

  it('returns the same for chunks of any size, bytes or text', slow, () => {
    fc.assert(
      fc.property(anySuite, style, cuts, (suite, suiteStyle, at) => {
        const text = write(suite, suiteStyle)
        const whole = parseOrGetError([text])
        expect(parseOrGetError(split(text, at))).toEqual(whole)
        const bytes = new TextEncoder().encode(text)
        expect(parseOrGetError(split(bytes, at))).toEqual(whole)
        expect(parseOrGetError(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole)
      }),
      { numRuns: 100 },
    )
  })

  it('throws only JUnitError when bytes of a report are changed, removed or duplicated', slow, () => {
    const directory = new URL('../test/fixtures/', import.meta.url)
    const fixtures = readdirSync(directory).map((file) => readFileSync(new URL(file, directory)))
    const edit = fc.record({ at: fc.nat(), drop: fc.nat(20), insert: fc.uint8Array({ maxLength: 6 }) })
    fc.assert(
      fc.property(
        fc.constantFrom(...fixtures),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        cuts,
        (file, edits, at) => {
          let bytes: Uint8Array = file
          for (const { at: offset, drop, insert } of edits) {
            const start = offset % bytes.length
            bytes = Uint8Array.of(...bytes.subarray(0, start), ...insert, ...bytes.subarray(start + drop))
          }
          expect(parseOrGetError(split(bytes, at))).toEqual(parseOrGetError([bytes]))
        },
      ),
      { numRuns: 200 },
    )
  })

  it('throws only JUnitError for random bytes', slow, () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), cuts, (bytes, at) => {
        expect(parseOrGetError(split(bytes, at))).toEqual(parseOrGetError([bytes]))
      }),
    )
  })

  it('throws only JUnitError for random sequences of XML tokens', slow, () => {
    const marks = '< > / </ /> & ; = " \' <!-- --> -- <![CDATA[ ]]> ]] <? ?> <!DOCTYPE [ ] &# x'.split(' ')
    const references = '&#x1b; &#xd800; &#x110000; &#xg; &amp; &nbsp;'.split(' ')
    const tags = '<testsuites> </testsuites> <testsuite> <failure> </failure> <j:testcase <!ENTITY'.split(' ')
    const wholes = ['<?xml version="1.0"?>', '<testcase name="', '"/>', ' a "b">']
    const characters = [' ', '\n', '\r', '\r\n', '\0', '\u001b[31m', '\u0085', '\u2028', '\ufeff', '\uffff']
    const surrogates = ['\ud83d', '\ude00', '😀']
    const token = fc.constantFrom(
      '> npm test',
      ...marks,
      ...references,
      ...tags,
      ...wholes,
      ...characters,
      ...surrogates,
    )
    const start = fc.constantFrom('', '<', '<testsuites>', '<testsuite><testcase>', '<!DOCTYPE x [')
    fc.assert(
      fc.property(start, fc.array(token, { maxLength: 40 }), cuts, (first, tokens, at) => {
        const text = first + tokens.join('')
        const whole = parseOrGetError([text])
        expect(parseOrGetError(split(text, at))).toEqual(whole)
        expect(parseOrGetError(Array.from({ length: text.length }, (_, index) => text.charAt(index)))).toEqual(whole)
      }),
      { numRuns: 1000 },
    )
  })
})
