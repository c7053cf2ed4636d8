import { addCaseIds, addPrintedCaseIds, isIdProperty, PROPERTY_LINE } from './case-ids.ts'
import {
  truncateName,
  truncateText,
  MAX_TEXT_LENGTH,
  MAX_SCANNED_LENGTH,
  MAX_SCANNED_NAME_LENGTH,
  detachString,
  stripControlCharacters,
  decodeCharacterReferences,
} from './clean-text.ts'
import { parseElapsedSeconds } from './elapsed-seconds.ts'
import { type TextBuffer, createTextBuffer } from './text-buffer.ts'
import { describeOtherFormat } from './other-formats.ts'
import type { AttemptDetail, DetailKind, JUnitReport, SuiteContext, SuiteError, TestAttempt } from './test-attempt.ts'
import { type Attributes, createXmlParser, type XmlParser } from './xml-parser.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] }

/** The element whose text is being captured, and its depth. Elements inside it are ignored, except for their text. */
type TextCapture =
  | { into: 'detail'; depth: number; detail: Mutable<AttemptDetail>; text: TextBuffer }
  | { into: 'property'; depth: number; text: TextBuffer; end: (value: string) => void }
  | { into: 'output'; depth: number; attempt: Mutable<TestAttempt> }

const SKIPPED_STATUS = /^(?:skipped|disabled|ignored)$/i

/** A `<testcase>` element that is longer than this, in UTF-16 units, has its strings copied when it ends. */
const LONG_TESTCASE_LENGTH = 1024

/** How many details of a test are kept. Real tests have a few; copying a million would block the event loop. */
const MAX_DETAILS = 1000
/** How many failures of suites outside of their tests are kept, for the same reason. */
const MAX_SUITE_ERRORS = 10_000

/** How many names of nested suites are kept. */
const MAX_NAMES = 20
const MAX_TIMESTAMP_LENGTH = 50

const NO_CONTEXT: Mutable<SuiteContext> = { names: [], file: '', hostname: '', variant: '' }

/** Shared by all attempts without ids or details, to save memory. Never written to. */
const NONE: never[] = []

/** Converts the events of a JUnit report into attempts. Stores nothing else of the report. */
export function createReportReader(): { xml: XmlParser; report: JUnitReport } {
  const attempts: TestAttempt[] = []
  const suiteErrors: SuiteError[] = []
  let depth = 0
  /** The open suites, outermost first. A suite without a name has the name of its parent. */
  const suites: { name: string; number: number; depth: number; context: Mutable<SuiteContext> }[] = []
  let suiteCount = 0
  const testcases: { attempt: Mutable<TestAttempt>; depth: number; start: number }[] = []
  let capture: TextCapture | null = null
  /** Depth of a `system-out` or `system-err` inside a failure. Its output is not part of the failure's text. */
  let mutedDepth = 0

  const xml: XmlParser = createXmlParser({ rejectRoot: describeOtherFormat, open, close, text: captureText })

  function cleanAttribute(value = ''): string {
    return truncateText(stripAttribute(value))
  }

  function cleanName(value = ''): string {
    return truncateName(stripAttribute(value, MAX_SCANNED_NAME_LENGTH), value)
  }

  /** Removes what cannot be displayed. Of a value that is far too long, returns only the beginning. */
  function stripAttribute(value: string, maxLength = MAX_SCANNED_LENGTH): string {
    const { hasControls, hasReferences } = xml.state
    if (!hasControls) return value
    const start = truncateText(value, maxLength)
    const isTruncated = start.length < value.length
    return stripControlCharacters(hasReferences ? decodeCharacterReferences(start, isTruncated) : start)
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
        openTestcase(attributes, line)
        break
      case 'testsuite':
      case 'testsuites':
        openSuite(attributes, name === 'testsuite')
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
        const testcase = testcases.at(-1)
        if (testcase?.depth === depth - 1) capture = { into: 'output', depth, attempt: testcase.attempt }
        break
      }
      default:
    }
  }

  function openSuite(attributes: Attributes, isSuite: boolean): void {
    const parent = suites.at(-1)
    const name = cleanName(attributes['name'] ?? attributes['file'])
    const outer = parent?.context ?? NO_CONTEXT
    const context = {
      names: isSuite && name !== '' && outer.names.length < MAX_NAMES ? [...outer.names, name] : [...outer.names],
      file: cleanName(attributes['file'] ?? attributes['filepath']) || outer.file,
      hostname: cleanName(attributes['hostname']) || outer.hostname,
      variant: outer.variant,
    }
    suiteCount++
    suites.push({ name: name === '' ? (parent?.name ?? '') : name, number: suiteCount, depth, context })
  }

  function openTestcase(attributes: Attributes, line: number): void {
    const attempt: Mutable<TestAttempt> = {
      name: cleanName(attributes['name']),
      classname: cleanName(attributes['classname'] ?? attributes['class']),
      suite: suites.at(-1)?.number ?? 0,
      context: suites.at(-1)?.context ?? NO_CONTEXT,
      file: cleanName(attributes['file'] ?? attributes['filepath']),
      startedAt: attributes['timestamp']?.slice(0, MAX_TIMESTAMP_LENGTH) ?? null,
      status: attributes['status'] !== undefined && SKIPPED_STATUS.test(attributes['status']) ? 'skipped' : 'passed',
      isFlaky: false,
      elapsedSeconds: parseElapsedSeconds(attributes['time']),
      details: NONE,
      caseIds: NONE,
      line,
    }
    attempts.push(attempt)
    testcases.push({ attempt, depth, start: xml.offset() })
  }

  function openDetail(kind: DetailKind, attributes: Attributes, line: number): void {
    const testcase = testcases.at(-1)
    const suite = suites.at(-1)
    const type = cleanAttribute(attributes['type'])
    const rawMessage = attributes['message'] ?? ''
    const message = stripAttribute(rawMessage)
    const isTruncated = rawMessage.length > MAX_SCANNED_LENGTH || message.length > MAX_TEXT_LENGTH
    const detail: Mutable<AttemptDetail> = { kind, type, message: truncateText(message), text: '', isTruncated }
    if (testcase?.depth === depth - 1) {
      addDetail(testcase.attempt, detail)
    } else if (testcase === undefined && suite?.depth === depth - 1 && (kind === 'failure' || kind === 'error')) {
      if (suiteErrors.length < MAX_SUITE_ERRORS) {
        suiteErrors.push(Object.assign(detail, { kind, suite: suite.name, line }))
      }
    } else {
      return
    }
    capture = { into: 'detail', depth, detail, text: createTextBuffer() }
  }

  function openProperty(attributes: Attributes): void {
    const testcase = testcases.at(-1)
    const end =
      testcase === undefined ? getSuitePropertyEnd(attributes) : getIdPropertyEnd(testcase.attempt, attributes)
    if (end === null) return
    if (attributes['value'] !== undefined) end(cleanAttribute(attributes['value']))
    else capture = { into: 'property', depth, text: createTextBuffer(), end }
  }

  function getIdPropertyEnd(attempt: Mutable<TestAttempt>, attributes: Attributes) {
    if (!isIdProperty(attributes['name'])) return null
    const caseIds = getMutableCaseIds(attempt)
    return (value: string) => addCaseIds(caseIds, value)
  }

  /** A property of a suite itself that tells it from others of its name. */
  function getSuitePropertyEnd(attributes: Attributes) {
    const context = suites.at(-1)?.context
    if (context === undefined || (attributes['name'] !== 'browser' && attributes['name'] !== 'project')) return null
    return (value: string) => {
      context.variant = truncateName(value.trim(), value)
    }
  }

  function close(): void {
    if (capture?.depth === depth) endCapture(capture)
    if (mutedDepth === depth) mutedDepth = 0
    // Node 20 does not inline `at(-1)`, and this runs for every tag.
    if (testcases[testcases.length - 1]?.depth === depth) closeTestcase()
    else if (suites[suites.length - 1]?.depth === depth) suites.pop()
    depth--
  }

  function closeTestcase(): void {
    const testcase = testcases.pop()
    // Releases the output of the testcase, so that memory does not grow with it.
    if (testcase !== undefined && xml.offset() - testcase.start > LONG_TESTCASE_LENGTH) detachStrings(testcase.attempt)
  }

  function endCapture(ended: TextCapture): void {
    capture = null
    if (ended.into === 'property') ended.end(ended.text.end().text)
    if (ended.into !== 'detail') return
    const { detail } = ended
    const { text, isTruncated } = ended.text.end()
    detail.isTruncated ||= isTruncated
    // Removes blank lines at the start, but keeps the indentation of the first line.
    detail.text = text.replace(/^\s*\n/, '').trimEnd()
  }

  function captureText(value: string, isRaw: boolean): void {
    if (capture === null || mutedDepth !== 0) return
    const { hasControls, hasReferences } = xml.state
    if (capture.into === 'output') {
      if (value.includes(PROPERTY_LINE)) addPrintedCaseIds(getMutableCaseIds(capture.attempt), value)
      return
    }
    const start = truncateText(value, MAX_SCANNED_LENGTH)
    const isTruncated = start.length < value.length
    const part = hasReferences && !isRaw ? decodeCharacterReferences(start, isTruncated) : start
    // Blank text at the start of a failure is only the layout of the file.
    if (capture.into === 'property' || !capture.text.isEmpty() || part.trim() !== '')
      capture.text.add(part, hasControls, isTruncated)
  }

  return { xml, report: { attempts, suiteErrors } }
}

function addDetail(attempt: Mutable<TestAttempt>, detail: AttemptDetail): void {
  if (attempt.details === NONE) attempt.details = [detail]
  else if (attempt.details.length < MAX_DETAILS) attempt.details.push(detail)
  else markAsTruncated(attempt.details.at(-1))
  const { kind } = detail
  if (kind === 'failure' || kind === 'error') attempt.status = 'failed'
  else if (kind === 'skipped' && attempt.status === 'passed') attempt.status = 'skipped'
  const wasFlaky = attempt.isFlaky || kind === 'flakyFailure' || kind === 'flakyError'
  attempt.isFlaky = wasFlaky && attempt.status === 'passed'
}

function markAsTruncated(detail: Mutable<AttemptDetail> | undefined): void {
  if (detail !== undefined) detail.isTruncated = true
}

function detachStrings(attempt: Mutable<TestAttempt>): void {
  attempt.name = detachString(attempt.name)
  attempt.classname = detachString(attempt.classname)
  attempt.file = detachString(attempt.file)
  if (attempt.startedAt !== null) attempt.startedAt = detachString(attempt.startedAt)
  if (attempt.caseIds !== NONE) attempt.caseIds = attempt.caseIds.map(detachString)
  if (attempt.details === NONE) return
  attempt.details = attempt.details.map((detail) => ({
    ...detail,
    type: detachString(detail.type),
    message: detachString(detail.message),
    text: detachString(detail.text),
  }))
}

function getMutableCaseIds(attempt: Mutable<TestAttempt>): string[] {
  if (attempt.caseIds === NONE) attempt.caseIds = []
  return attempt.caseIds
}
