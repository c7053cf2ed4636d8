import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createJUnitParser, JUnitError, type JUnitReport } from './parse-junit.ts'

// Reports that some fifty tools really wrote, kept outside the repository because they are not ours to publish.
const repository = fileURLToPath(new URL('../../..', import.meta.url))
const named = process.env['JUNIT_CORPUS']
const corpus = resolve(repository, named ?? '../shared/junit')
const index = join(corpus, 'INDEX.tsv')

/** A line of INDEX.tsv, counted by an independent parser. `failures` counts testcases that have a failure, and so on. */
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
    return { path: cell('path'), counts, flaky: cell('flaky'), expect: cell('expect'), reason: cell('reason') }
  })
}

function parse(pieces: Iterable<Uint8Array | string>): JUnitReport {
  const parser = createJUnitParser()
  for (const piece of pieces) parser.write(piece)
  return parser.end()
}

/** A report, or the error as it shows; anything but a JUnitError is thrown on. */
function outcome(pieces: Iterable<Uint8Array | string>): unknown {
  try {
    return parse(pieces)
  } catch (error) {
    if (!(error instanceof JUnitError)) throw error
    const { code, message, line, column } = error
    return { code, message, line, column }
  }
}

function countAttempts({ attempts }: JUnitReport): string {
  const having = (kind: string) =>
    attempts.filter(({ details }) => details.some((detail) => detail.kind === kind)).length
  return [attempts.length, having('failure'), having('error'), having('skipped')].join(' ')
}

function* chunks(bytes: Uint8Array, seed: number): Generator<Uint8Array> {
  let state = seed
  for (let start = 0; start < bytes.length;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    const length = 1 + (state % (bytes.length < 100_000 ? 997 : 50_000))
    yield bytes.subarray(start, start + length)
    start += length
  }
}

function* singleBytes(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start++) yield bytes.subarray(start, start + 1)
}

/** The number of testcase tags that a reader would count by eye. */
function tagsByEye(bytes: Uint8Array): number {
  const text = new TextDecoder('latin1').decode(bytes)
  return text.replaceAll(/<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>/g, '').match(/<(?:\w+:)?testcase[\s/>]/g)?.length ?? 0
}

const files = existsSync(index) ? readIndex() : []

const whatIsTested =
  files.length === 0
    ? `LEFT OUT: there is no corpus of real reports at ${corpus}; JUNIT_CORPUS names its folder`
    : 'knows of every report in the corpus what is to become of it'

it.each([whatIsTested])('%s', () => {
  // oxlint-disable-next-line no-console
  if (files.length === 0) console.warn(whatIsTested)
  // Whoever names a folder means one that is there.
  expect(named === undefined || files.length > 0, `there are none in ${named}`).toBe(true)
  const known = new Set(['accept', 'reject', 'reject-or-tolerate', 'either'])
  expect(files.filter((file) => !known.has(file.expect))).toEqual([])
})

describe.runIf(files.length > 0)('the corpus of real reports', () => {
  const read = ({ path }: CorpusFile): Uint8Array => readFileSync(join(corpus, path))

  describe('reads with the counts of an independent parser', () => {
    // That parser (expat) knows no multi-byte encodings, which says nothing about the report.
    const uncounted = ({ reason }: CorpusFile) => reason.includes('multi-byte encodings are not supported')

    it.each(files.filter((file) => file.expect === 'accept' && !uncounted(file)))('$path', (file) => {
      const report = parse([read(file)])
      expect(countAttempts(report)).toBe(file.counts)
      const retried = report.attempts
        .flatMap(({ details }) => details)
        .filter(({ kind }) => /^(?:flaky|rerun)/.test(kind))
      expect(retried).toHaveLength(Number(file.flaky))
    })

    it.each(files.filter((file) => file.expect === 'accept' && uncounted(file)))('$path, tag by tag', (file) => {
      const report = parse([read(file)])
      expect(report.attempts).toHaveLength(tagsByEye(read(file)))
      expect(JSON.stringify(report)).not.toContain('\ufffd')
    })
  })

  describe('rejects with a JUnitError', () => {
    it.each(files.filter((file) => file.expect === 'reject'))('$path', (file) => {
      expect(() => parse([read(file)])).toThrow(JUnitError)
    })
  })

  describe('rejects, or loses nothing of', () => {
    it.each(files.filter(({ expect: how }) => how === 'either' || how === 'reject-or-tolerate'))('$path', (file) => {
      const bytes = read(file)
      const result = outcome([bytes])
      expect(result).toSatisfy(
        ({ message = '', attempts }: Partial<JUnitReport & JUnitError>) =>
          message.length > 0 || attempts?.length === tagsByEye(bytes),
      )
    })
  })

  describe('reads the same in pieces of any size', () => {
    it.each(files)('$path', (file) => {
      const bytes = read(file)
      const ways = [chunks(bytes, 1), chunks(bytes, 2), bytes.length > 10_000 ? chunks(bytes, 3) : singleBytes(bytes)]
      const whole = outcome([bytes])
      expect(ways.map(outcome)).toEqual(ways.map(() => whole))
    })
  })

  describe('reads the same as text', () => {
    const isUtf8 = (file: CorpusFile) => {
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(read(file)) !== ''
      } catch {
        return false
      }
    }
    it.each(files.filter(isUtf8))('$path', (file) => {
      const bytes = read(file)
      expect(outcome([new TextDecoder().decode(bytes)])).toEqual(outcome([bytes]))
    })
  })
})
