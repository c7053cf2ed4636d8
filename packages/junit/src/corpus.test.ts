import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createJUnitParser, JUnitError, type JUnitReport } from './parse-junit.ts'
import { toReportedTests } from './to-tests.ts'

// Reports written by some fifty tools. They are not in the repository because their licenses do not allow it.
const repository = fileURLToPath(new URL('../../..', import.meta.url))
const corpusSetting = process.env['JUNIT_CORPUS']
const corpus = resolve(repository, corpusSetting ?? '../shared/junit')
const index = join(corpus, 'INDEX.tsv')
const MAX_DEPTH = 100

/**
 * A line of INDEX.tsv with the counts of an independent parser. `failures` counts testcases with a failure, and so on.
 */
interface CorpusFile {
  path: string
  counts: string
  flaky: string
  expect: string
  reason: string
}

function readIndex(): CorpusFile[] {
  const [head = '', ...lines] = readFileSync(index, 'utf8').trimEnd().split('\n')
  const columns = head.split('\t')
  return lines.map((line) => {
    const cells = line.split('\t')
    const cell = (column: string) => cells[columns.indexOf(column)] ?? ''
    const counts = [cell('tests'), cell('failures'), cell('errors'), cell('skipped')].join(' ')
    // The index does not know the parser's limit for nested elements.
    const expectation = Number(cell('maxdepth')) > MAX_DEPTH ? 'reject' : cell('expect')
    return { path: cell('path'), counts, flaky: cell('flaky'), expect: expectation, reason: cell('reason') }
  })
}

function parse(pieces: Iterable<Uint8Array | string>): JUnitReport {
  const parser = createJUnitParser()
  for (const piece of pieces) parser.write(piece)
  return parser.end()
}

/** Returns the report or the fields of the JUnitError; rethrows other errors. */
function parseOrGetError(pieces: Iterable<Uint8Array | string>): unknown {
  try {
    return parse(pieces)
  } catch (error) {
    if (!(error instanceof JUnitError)) throw error
    const { code, message, line, column } = error
    return { code, message, line, column }
  }
}

function countAttempts({ attempts }: JUnitReport): string {
  const countWith = (kind: string) =>
    attempts.filter(({ details }) => details.some((detail) => detail.kind === kind)).length
  return [attempts.length, countWith('failure'), countWith('error'), countWith('skipped')].join(' ')
}

function* splitRandomly(bytes: Uint8Array, seed: number): Generator<Uint8Array> {
  let state = seed
  for (let start = 0; start < bytes.length;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    const length = 1 + (state % (bytes.length < 100_000 ? 997 : 50_000))
    yield bytes.subarray(start, start + length)
    start += length
  }
}

function* splitIntoBytes(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start++) yield bytes.subarray(start, start + 1)
}

/** Counts testcase tags outside of comments and CDATA, without parsing. */
function countTestcaseTags(bytes: Uint8Array): number {
  const text = new TextDecoder('latin1').decode(bytes)
  return text.replaceAll(/<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>/g, '').match(/<(?:\w+:)?testcase[\s/>]/g)?.length ?? 0
}

const files = existsSync(index) ? readIndex() : []

const corpusSize =
  files.length === 0
    ? `NOT TESTED: no reports in ${corpus}; set JUNIT_CORPUS to their directory`
    : `${files.length} reports`

describe('the corpus of real JUnit reports', () => {
  it.each([corpusSize])('states an expectation for every report: %s', () => {
    // oxlint-disable-next-line no-console
    if (files.length === 0) console.warn(corpusSize)
    // A directory that was set explicitly must exist.
    expect(corpusSetting === undefined || files.length > 0, `there are none in ${corpusSetting}`).toBe(true)
    const expectations = new Set(['accept', 'reject', 'reject-or-tolerate', 'either'])
    expect(files.filter((file) => !expectations.has(file.expect))).toEqual([])
  })
})

describe.runIf(files.length > 0)('the JUnit parser', () => {
  const read = ({ path }: CorpusFile): Uint8Array => readFileSync(join(corpus, path))
  // expat, the independent parser, does not support multi-byte encodings.
  const isUncounted = ({ reason }: CorpusFile) => reason.includes('multi-byte encodings are not supported')
  const accepted = files.filter((file) => file.expect === 'accept')

  it.each(accepted.filter((file) => !isUncounted(file)))(
    'reads as many tests, failures, errors and skipped tests as an independent parser from $path',
    (file) => {
      const report = parse([read(file)])
      expect(countAttempts(report)).toBe(file.counts)
      const retries = report.attempts
        .flatMap(({ details }) => details)
        .filter(({ kind }) => /^(?:flaky|rerun)/.test(kind))
      expect(retries).toHaveLength(Number(file.flaky))
    },
  )

  it.each(accepted.filter(isUncounted))('reads as many tests as there are testcase tags in $path', (file) => {
    const report = parse([read(file)])
    expect(report.attempts).toHaveLength(countTestcaseTags(read(file)))
    expect(JSON.stringify(report)).not.toContain('\ufffd')
  })

  const namedFiles = (file: CorpusFile) =>
    [...new TextDecoder().decode(read(file)).matchAll(/\[\[ATTACHMENT\|(.+?)\]\]/g)].map(([, path = '']) => path)

  it.each(accepted.filter((file) => namedFiles(file).length > 0))(
    'finds every file that a line in $path names',
    async (file) => {
      const tests = await toReportedTests(parse([read(file)]), { shouldYield: () => false, yield: async () => {} })
      const found = new Set(
        tests.flatMap(({ attempts }) =>
          attempts.flatMap(({ attachments = [] }) => attachments.map(({ path }) => path)),
        ),
      )
      expect(namedFiles(file).filter((path) => !found.has(path))).toEqual([])
    },
  )

  it.each(files.filter((file) => file.expect === 'reject'))('rejects $path with a JUnitError', (file) => {
    expect(() => parse([read(file)])).toThrow(JUnitError)
  })

  it.each(files.filter((file) => file.expect === 'either' || file.expect === 'reject-or-tolerate'))(
    'either rejects $path or reads all of its tests',
    (file) => {
      const bytes = read(file)
      const result = parseOrGetError([bytes])
      expect(result).toSatisfy(
        ({ message = '', attempts }: Partial<JUnitReport & JUnitError>) =>
          message.length > 0 || attempts?.length === countTestcaseTags(bytes),
      )
    },
  )

  it.each(files)('reads the same from chunks of any size of $path', (file) => {
    const bytes = read(file)
    const smallest = bytes.length > 10_000 ? splitRandomly(bytes, 3) : splitIntoBytes(bytes)
    const chunkings = [splitRandomly(bytes, 1), splitRandomly(bytes, 2), smallest]
    const whole = parseOrGetError([bytes])
    expect(chunkings.map(parseOrGetError)).toEqual(chunkings.map(() => whole))
  })

  const isUtf8 = (file: CorpusFile) => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(read(file)) !== ''
    } catch {
      return false
    }
  }
  it.each(files.filter(isUtf8))('reads the same from text as from bytes of $path', (file) => {
    const bytes = read(file)
    expect(parseOrGetError([new TextDecoder().decode(bytes)])).toEqual(parseOrGetError([bytes]))
  })
})
