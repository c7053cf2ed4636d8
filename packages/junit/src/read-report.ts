import { addCaseIds, addPrintedCaseIds, isIdProperty, PROPERTY_LINE } from './case-ids.ts'
import {
  truncateText,
  MAX_TEXT_LENGTH,
  MAX_SCANNED_LENGTH,
  detachString,
  stripControlCharacters,
  decodeCharacterReferences,
} from './clean-text.ts'
import { parseElapsedSeconds } from './elapsed-seconds.ts'
import { type TextBuffer, createTextBuffer } from './text-buffer.ts'
import { describeOtherFormat } from './other-formats.ts'
import type { AttemptDetail, DetailKind, JUnitReport, SuiteError, TestAttempt } from './test-attempt.ts'
import { type Attributes, createXmlParser, type XmlParser } from './xml-parser.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] }

/** An element whose text is being gathered, and how deep it lies. Nothing inside it is looked at but its text. */
type TextCapture =
  | { into: 'detail'; depth: number; detail: Mutable<AttemptDetail>; text: TextBuffer }
  | { into: 'property'; depth: number; text: TextBuffer; caseIds: string[] }
  | { into: 'output'; depth: number; attempt: Mutable<TestAttempt> }

const SKIPPED_STATUS = /^(?:skipped|disabled|ignored)$/i

/** A testcase that is longer than this, in UTF-16 units, is worth being copied out of it. */
const LONG_CASE = 1024

/** Shared by the many attempts that have none. Never written to. */
const NONE: never[] = []

/** Turns the events of a JUnit document into attempts. Holds no more of the document than they do. */
export function createReportReader(): { xml: XmlParser; report: JUnitReport } {
  const attempts: TestAttempt[] = []
  const suiteErrors: SuiteError[] = []
  let depth = 0
  /** The open suites and testcases, outermost first, and how deep each lies. A suite without a name has that around it. */
  const suites: { name: string; depth: number }[] = []
  const cases: { attempt: Mutable<TestAttempt>; depth: number; start: number }[] = []
  let capture: TextCapture | null = null
  /** How deep the `system-out` or `system-err` inside a failure lies, which is not part of its text. */
  let mutedDepth = 0

  const xml: XmlParser = createXmlParser({ rejectRoot: describeOtherFormat, open, close, text: gather })

  function attribute(value = ''): string {
    return truncateText(readable(value))
  }

  /** All of an attribute, or the beginning of one that is far longer than what is kept. */
  function readable(value: string): string {
    const { hasControls, hasReferences } = xml.state
    if (!hasControls) return value
    const looked = truncateText(value, MAX_SCANNED_LENGTH)
    return stripControlCharacters(hasReferences ? decodeCharacterReferences(looked) : looked)
  }

  function open(tag: string, attributes: Attributes, line: number): void {
    depth++
    const colon = tag.indexOf(':')
    const name = colon === -1 ? tag : tag.slice(colon + 1)
    if (capture !== null) {
      if (mutedDepth === 0 && (name === 'system-out' || name === 'system-err')) mutedDepth = depth
      return
    }
    switch (name) {
      case 'testcase':
        openCase(attributes, line)
        break
      case 'testsuite':
      case 'testsuites':
        openSuite(attributes)
        break
      case 'failure':
      case 'error':
      case 'skipped':
      case 'flakyFailure':
      case 'flakyError':
      case 'rerunFailure':
      case 'rerunError':
        openDetail(name, attributes, line)
        break
      case 'property':
        openProperty(attributes)
        break
      case 'system-out': {
        const owner = cases.at(-1)
        if (owner?.depth === depth - 1) capture = { into: 'output', depth, attempt: owner.attempt }
        break
      }
      default:
    }
  }

  function openSuite(attributes: Attributes): void {
    const name = attribute(attributes['name'] ?? attributes['file'])
    suites.push({ name: name === '' ? (suites.at(-1)?.name ?? '') : name, depth })
  }

  function openCase(attributes: Attributes, line: number): void {
    const attempt: Mutable<TestAttempt> = {
      name: attribute(attributes['name']),
      classname: attribute(attributes['classname'] ?? attributes['class']),
      status: attributes['status'] !== undefined && SKIPPED_STATUS.test(attributes['status']) ? 'skipped' : 'passed',
      isFlaky: false,
      elapsedSeconds: parseElapsedSeconds(attributes['time']),
      details: NONE,
      caseIds: NONE,
      line,
    }
    attempts.push(attempt)
    cases.push({ attempt, depth, start: xml.offset() })
  }

  function openDetail(kind: DetailKind, attributes: Attributes, line: number): void {
    const owner = cases.at(-1)
    const suite = suites.at(-1)
    const type = attribute(attributes['type'])
    const written = attributes['message'] ?? ''
    const message = readable(written)
    const isTruncated = written.length > MAX_SCANNED_LENGTH || message.length > MAX_TEXT_LENGTH
    const detail: Mutable<AttemptDetail> = { kind, type, message: truncateText(message), text: '', isTruncated }
    if (owner?.depth === depth - 1) {
      addDetail(owner.attempt, detail)
    } else if (owner === undefined && suite?.depth === depth - 1 && (kind === 'failure' || kind === 'error')) {
      suiteErrors.push(Object.assign(detail, { kind, suite: suite.name, line }))
    } else {
      return
    }
    capture = { into: 'detail', depth, detail, text: createTextBuffer() }
  }

  function openProperty(attributes: Attributes): void {
    const owner = cases.at(-1)
    if (owner === undefined || !isIdProperty(attributes['name'])) return
    const caseIds = getCaseIds(owner.attempt)
    if (attributes['value'] !== undefined) addCaseIds(caseIds, attribute(attributes['value']))
    else capture = { into: 'property', depth, text: createTextBuffer(), caseIds }
  }

  function close(): void {
    if (capture?.depth === depth) finish(capture)
    if (mutedDepth === depth) mutedDepth = 0
    // Not `at(-1)`, which Node 20 does not inline: this is done for every tag.
    if (cases[cases.length - 1]?.depth === depth) closeCase()
    else if (suites[suites.length - 1]?.depth === depth) suites.pop()
    depth--
  }

  function closeCase(): void {
    const closed = cases.pop()
    // Thus a report's memory does not grow with what its testcases have printed.
    if (closed !== undefined && xml.offset() - closed.start > LONG_CASE) detachStrings(closed.attempt)
  }

  function finish(done: TextCapture): void {
    capture = null
    if (done.into === 'property') addCaseIds(done.caseIds, done.text.end().text)
    if (done.into !== 'detail') return
    const { detail } = done
    const { text, isTruncated } = done.text.end()
    detail.isTruncated ||= isTruncated
    // A blank first line goes, the first line's indentation stays.
    detail.text = text.replace(/^\s*\n/, '').trimEnd()
  }

  function gather(value: string, isRaw: boolean): void {
    if (capture === null || mutedDepth !== 0) return
    const { hasControls, hasReferences } = xml.state
    if (capture.into === 'output') {
      if (value.includes(PROPERTY_LINE)) addPrintedCaseIds(getCaseIds(capture.attempt), value)
      return
    }
    const part = hasReferences && !isRaw ? decodeCharacterReferences(value) : value
    // Blank text before the first element inside a failure is the file's layout.
    if (capture.into === 'property') capture.text.add(part, hasControls)
    else if (!capture.text.isEmpty() || part.trim() !== '') capture.text.add(part, hasControls)
  }

  return { xml, report: { attempts, suiteErrors } }
}

function addDetail(attempt: Mutable<TestAttempt>, detail: AttemptDetail): void {
  if (attempt.details === NONE) attempt.details = [detail]
  else attempt.details.push(detail)
  const { kind } = detail
  if (kind === 'failure' || kind === 'error') attempt.status = 'failed'
  else if (kind === 'skipped' && attempt.status === 'passed') attempt.status = 'skipped'
  const wasFlaky = attempt.isFlaky || kind === 'flakyFailure' || kind === 'flakyError'
  attempt.isFlaky = wasFlaky && attempt.status === 'passed'
}

function detachStrings(attempt: Mutable<TestAttempt>): void {
  attempt.name = detachString(attempt.name)
  attempt.classname = detachString(attempt.classname)
  if (attempt.caseIds !== NONE) attempt.caseIds = attempt.caseIds.map(detachString)
  if (attempt.details === NONE) return
  attempt.details = attempt.details.map((detail) => ({
    ...detail,
    type: detachString(detail.type),
    message: detachString(detail.message),
    text: detachString(detail.text),
  }))
}

function getCaseIds(attempt: Mutable<TestAttempt>): string[] {
  if (attempt.caseIds === NONE) attempt.caseIds = []
  return attempt.caseIds
}
