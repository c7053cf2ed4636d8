import { addPrintedFiles, addSuiteFile, getEvidencePropertyEnd } from './attempt-evidence.ts'
import { addCaseIds, addPrintedCaseIds, isIdProperty, PROPERTY_LINE } from './case-ids.ts'
import {
  truncateName,
  truncateText,
  MAX_TEXT_LENGTH,
  MAX_SCANNED_LENGTH,
  stripControlCharacters,
  decodeCharacterReferences,
} from './clean-text.ts'
import { createAttributeCleaner } from './attribute-cleaner.ts'
import { type TextBuffer, createTextBuffer } from './text-buffer.ts'
import {
  addInnerCounts,
  checkDeclaredCounts,
  checkNodeCounts,
  countSuiteFailure,
  countTest,
  type NodeCounts,
  readNodeCount,
} from './declared-counts.ts'
import {
  addDetail,
  createAttempt,
  detachStrings,
  getMutableCaseIds,
  interrupt,
  type Mutable,
  type OpenTestcase,
} from './open-testcase.ts'
import { ATTACHMENT_LINE, isDataAddress, parseFileProperty } from './named-files.ts'
import { addOutput, addOutputFile, type OutputFiles } from './output-file.ts'
import { createSuite, type OpenSuite } from './open-suite.ts'
import { describeOtherFormat } from './other-formats.ts'
import { isRetryProperty, readRetryMark } from './retry-mark.ts'
import type { AttemptDetail, DetailKind, JUnitReport, SuiteError, TestAttempt } from './test-attempt.ts'
import { readElementStatus } from './test-status.ts'
import { type Attributes, createXmlParser, type XmlParser } from './xml-parser.ts'

/** The element whose text is being captured, and its depth. Elements inside it are ignored, except for their text. */
type TextCapture =
  | {
      into: 'detail'
      depth: number
      detail: Mutable<AttemptDetail>
      text: TextBuffer
      testcase: OpenTestcase | undefined
    }
  | { into: 'property'; depth: number; text: TextBuffer; end: (value: string) => void }
  | { into: 'output'; depth: number; testcase: OpenTestcase; hasCaseIds: boolean }

/** A `<testcase>` element that is longer than this, in UTF-16 units, has its strings copied when it ends. */
const LONG_TESTCASE_LENGTH = 1024

/** How many failures of suites outside of their tests are kept. Copying a million would block the event loop. */
const MAX_SUITE_ERRORS = 10_000

export interface ReaderOptions {
  /** Whether the contents of `data:` addresses are kept, not only their digests. Default: false. */
  readonly keepsContents?: boolean | undefined
  /** Whether the output of failed tests is a file of theirs. Default: `none`. */
  readonly outputFiles?: OutputFiles | undefined
}

/** Converts the events of a JUnit report into attempts. Keeps nothing else of the report. */
export function createReportReader({ keepsContents = false, outputFiles = 'none' }: ReaderOptions = {}): {
  xml: XmlParser
  report: JUnitReport
} {
  const attempts: TestAttempt[] = []
  const suiteErrors: SuiteError[] = []
  let depth = 0
  /** The open suites, outermost first. */
  const suites: OpenSuite[] = []
  let suiteCount = 0
  let namesGoVersion = false
  const nodeCounts: NodeCounts = new Map()
  const testcases: OpenTestcase[] = []
  let capture: TextCapture | null = null
  /** Depth of a `system-out` or `system-err` inside a failure. Its output is not part of the failure's text. */
  let mutedDepth = 0

  const xml: XmlParser = createXmlParser({
    rejectRoot: describeOtherFormat,
    open,
    close,
    text: captureText,
    comment: readComment,
  })

  const { strip: stripAttribute, clean: cleanAttribute, cleanName } = createAttributeCleaner(xml.state)

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
        openSuite(attributes, name === 'testsuite', line)
        break
      case 'properties':
        openSuiteProperties()
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
      case 'system-out':
      case 'system-err': {
        const testcase = testcases.at(-1)
        if (testcase?.depth === depth - 1)
          capture = { into: 'output', depth, testcase, hasCaseIds: name === 'system-out' }
        break
      }
      default:
        openOtherElement(name, attributes, line)
    }
  }

  function openSuite(attributes: Attributes, isSuite: boolean, line: number): void {
    suiteCount++
    suites.push(createSuite(suites.at(-1), attributes, { isSuite, number: suiteCount, depth, line, cleanName }))
  }

  function openSuiteProperties(): void {
    const suite = suites.at(-1)
    if (suite?.depth === depth - 1 && suite.mayBeGradle && suite.counts.tests === 0) suite.context.dialect = 'gradle'
  }

  function openTestcase(attributes: Attributes, line: number): void {
    const attempt = createAttempt(attributes, { suite: suites.at(-1), line, cleanName })
    attempts.push(attempt)
    testcases.push({ number: attempts.length, attempt, depth, start: xml.offset(), isDecided: false, output: null })
  }

  function openOtherElement(name: string, attributes: Attributes, line: number): void {
    const testcase = testcases.at(-1)
    if (testcase?.depth !== depth - 1) return
    const status = readElementStatus(name)
    if (status === 'failed') openDetail('failure', attributes, line)
    else if (status === 'skipped') openDetail('skipped', attributes, line)
    else if (status === 'interrupted') interrupt(testcase)
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
      addDetail(testcase, detail)
    } else if (testcase === undefined && suite?.depth === depth - 1 && (kind === 'failure' || kind === 'error')) {
      countSuiteFailure(suite.counts, kind)
      addSuiteError(Object.assign(detail, { kind, suite: suite.name, line }))
    } else {
      return
    }
    capture = { into: 'detail', depth, detail, text: createTextBuffer(), testcase }
  }

  function openProperty(attributes: Attributes): void {
    const testcase = testcases.at(-1)
    const end =
      testcase === undefined ? getSuitePropertyEnd(attributes) : getTestPropertyEnd(testcase.attempt, attributes)
    if (end === null) return
    const { value } = attributes
    // The content of a file is longer than the texts that are kept.
    if (value !== undefined) end(isDataAddress(value) ? value : cleanAttribute(value))
    else capture = { into: 'property', depth, text: createTextBuffer(), end }
  }

  function getTestPropertyEnd(attempt: Mutable<TestAttempt>, attributes: Attributes) {
    const name = attributes['name'] ?? ''
    if (isRetryProperty(name)) {
      return (value: string) => {
        attempt.retryMark ??= readRetryMark(name, value)
      }
    }
    if (!isIdProperty(name)) return getEvidencePropertyEnd(attempt, name, keepsContents)
    const caseIds = getMutableCaseIds(attempt)
    return (value: string) => addCaseIds(caseIds, value, name)
  }

  /** A property of a suite itself that tells it from others of its name, or names a file. */
  function getSuitePropertyEnd(attributes: Attributes) {
    const context = suites.at(-1)?.context
    const { name = '' } = attributes
    if (name === 'go.version') namesGoVersion = true
    // Gradle's are empty.
    if (context?.dialect === 'gradle') context.dialect = null
    if (context === undefined) return null
    const file = parseFileProperty(name)
    if (file !== null) return (value: string) => addSuiteFile(context, file, value, keepsContents)
    if (name !== 'browser' && name !== 'project') return null
    return (value: string) => {
      context.variant = truncateName(value.trim(), value)
    }
  }

  function close(): void {
    if (capture?.depth === depth) endCapture(capture)
    if (mutedDepth === depth) mutedDepth = 0
    // Node 20 does not inline `at(-1)`, and this runs for every tag.
    if (testcases[testcases.length - 1]?.depth === depth) closeTestcase()
    else if (suites[suites.length - 1]?.depth === depth) closeSuite()
    depth--
  }

  function closeSuite(): void {
    const suite = suites.pop()
    if (suite === undefined) return
    const isGotestsum = suite.mayBeGotestsum && namesGoVersion
    const error = checkDeclaredCounts(suite.counts, { suite: suite.name, line: suite.line, isGotestsum })
    if (error !== null) addSuiteError(error)
    const outer = suites.at(-1)
    if (outer !== undefined) {
      addInnerCounts(outer.counts, suite.counts)
      return
    }
    const lost = checkNodeCounts(nodeCounts, suite.counts)
    if (lost !== null) addSuiteError(lost)
  }

  function readComment(text: string): void {
    const [root, inner] = suites
    if (root !== undefined && inner === undefined && root.context.dialect === 'node-test')
      readNodeCount(nodeCounts, text)
  }

  function addSuiteError(error: SuiteError): void {
    if (suiteErrors.length < MAX_SUITE_ERRORS) suiteErrors.push(error)
  }

  function closeTestcase(): void {
    const testcase = testcases.pop()
    const counts = suites[suites.length - 1]?.counts
    if (testcase !== undefined) addOutputFile(testcase, outputFiles)
    if (testcase !== undefined && counts !== undefined) countTest(counts, testcase.attempt)
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
    if (capture === null) return
    const { hasControls, hasReferences } = xml.state
    const decodes = hasReferences && !isRaw
    if (value.includes(ATTACHMENT_LINE) && capture.into !== 'property')
      addPrintedFiles(capture, hasControls ? stripControlCharacters(decodeText(value, decodes)) : value)
    if (mutedDepth !== 0) return
    if (capture.into === 'output') {
      const { testcase, hasCaseIds } = capture
      if (hasCaseIds && value.includes(PROPERTY_LINE)) addPrintedCaseIds(getMutableCaseIds(testcase.attempt), value)
      if (outputFiles !== 'none') addOutput(testcase, decodeText(value, decodes), outputFiles)
      return
    }
    const start = truncateText(value, MAX_SCANNED_LENGTH)
    const isTruncated = start.length < value.length
    const part = decodeText(start, decodes, isTruncated)
    // Blank text at the start of a failure is only the layout of the file.
    if (capture.into === 'property' || !capture.text.isEmpty() || part.trim() !== '')
      capture.text.add(part, hasControls, isTruncated)
  }

  return { xml, report: { attempts, suiteErrors, skippedText: '' } }
}

const decodeText = (text: string, decodes: boolean, isTruncated = false): string =>
  decodes ? decodeCharacterReferences(text, isTruncated) : text
