import { isAbsolute, posix } from 'node:path'

import { toPlainText } from '@caseward/ci-run/plain-text'
import type { DeclaredAttachment, UploadedAttempt, UploadedStep, UploadedTest } from '@caseward/client/endpoints'
import { createCaseIdFinder } from '@caseward/matching/case-ids'
import { limitAttempts } from '@caseward/matching/limit-attempts'
import { cutText, truncateNote } from '@caseward/matching/note'
import { findTestCaseNumbers } from '@caseward/matching/test-case-ids'

import { formatError } from './format-error.ts'
import type { SuiteRecord } from './suite-record.ts'
import type { SpooledFile } from './spooled-file.ts'
import type { RecordedAttempt, SuiteError, TestStep } from './test-attempt.ts'

/** The server truncates longer texts. */
const MAX_MESSAGE_LENGTH = 10_000
const MAX_SUITE_ERRORS = 10_000

/**
 * Builds the tests of a suite, each with all its attempts. The server decides which test cases they belong to, and what
 * came of them.
 * @param prefix the project's prefix, such as `WEB`: containers that name no test case count only if the run has their failure
 * @param module directory of the package within the checkout: files are relative to the checkout
 */
export function buildTests(
  prefix: string,
  attempts: readonly RecordedAttempt[],
  module: string | null = null,
): UploadedTest[] {
  const finder = createCaseIdFinder(prefix)
  const tests: UploadedTest[] = []
  for (const group of groupAttempts(attempts)) {
    const test = toTest(group, module)
    const isContainer = group.every((attempt) => attempt.isContainer === true)
    if (!isContainer || namesTestCase(test, finder)) tests.push(test)
    // It may have failed by itself when the build ran before.
    else if (group.at(-1)?.status === 'passed' && test.name !== test.suite)
      tests.push({ ...test, only_if_reported: true })
  }
  return tests
}

const namesTestCase = (test: UploadedTest, finder: ReturnType<typeof createCaseIdFinder>): boolean => {
  const { test_case_ids: testCaseIds = [], tags = [], name, suite = '' } = test
  return findTestCaseNumbers({ testCaseIds, tags, name, suite }, finder).numbers.length > 0
}

/** The attempts at one test, in order. */
type Group = [RecordedAttempt, ...RecordedAttempt[]]

function groupAttempts(attempts: readonly RecordedAttempt[]): Iterable<Group> {
  const groups = new Map<string, Group>()
  for (const attempt of attempts) {
    const identity = `${attempt.variant ?? ''}\0${attempt.testId}`
    const group = groups.get(identity)
    if (group === undefined) groups.set(identity, [attempt])
    else if (attempt.replacesResult === true) group.push(replaceResult(group.pop(), attempt))
    else group.push(attempt)
  }
  return groups.values()
}

/** Returns the later result of an attempt, with the errors and the duration of the earlier one. */
const replaceResult = (earlier: RecordedAttempt | undefined, later: RecordedAttempt): RecordedAttempt => ({
  ...later,
  durationMs: earlier?.durationMs ?? later.durationMs,
  errors: [...(earlier?.errors ?? []), ...(later.errors ?? [])],
  isContainer: earlier?.isContainer,
  files: [...(earlier?.files ?? []), ...(later.files ?? [])],
  steps: [...(earlier?.steps ?? []), ...(later.steps ?? [])],
})

function toTest(group: Group, module: string | null): UploadedTest {
  const [{ file = '', variant = '' }] = group
  const testCaseIds = unique(group.flatMap(({ caseIds = [] }) => caseIds.map(toPlainText)))
  const tags = unique(group.flatMap((attempt) => (attempt.tags ?? []).map(toPlainText)))
  const defects = unique(group.flatMap((attempt) => (attempt.defects ?? []).map((url) => url.trim()))).filter(
    (url) => url !== '',
  )
  // Those of the last attempt count.
  const fields = Object.fromEntries(group.flatMap((attempt) => Object.entries(attempt.fields ?? {})))
  const path = toPlainText(file).trim()
  const variantName = toPlainText(variant).trim()
  return {
    name: getFullTitle(group[0]),
    ...(path === '' ? {} : { suite: path, file: toCheckoutPath(path, module) }),
    ...(variantName === '' ? {} : { variant: variantName }),
    ...(testCaseIds.length === 0 ? {} : { test_case_ids: testCaseIds }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(defects.length === 0 ? {} : { links: defects.map((url) => ({ url })) }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
    attempts: [...limitAttempts(group.map(toAttempt))],
  }
}

/** A path that is relative to a package, relative to the checkout. A file outside of the package may stay as it is. */
const toCheckoutPath = (path: string, module: string | null): string =>
  module === null || module === '.' || isAbsolute(path) ? path : posix.join(module, path)

/** Joins the title path into one name. A test without titles has the name of its file. */
export function getFullTitle({ titlePath, file = '' }: RecordedAttempt): string {
  const titles = titlePath.map((title) => toPlainText(title).trim()).filter((title) => title !== '')
  const name = titles.length > 0 ? titles.join(' > ') : toPlainText(file).trim()
  return name === '' ? 'untitled test' : name
}

function toAttempt(attempt: RecordedAttempt): UploadedAttempt {
  const { status, durationMs, errors = [], comment = '', files = [], steps = [] } = attempt
  const remark = toPlainText(comment).trim()
  const [first] = errors
  const message = first === undefined ? remark : toPlainText(first.message).trim()
  const texts = [first === undefined ? '' : remark, ...errors.map(formatError)].filter((text) => text !== '')
  const details = texts.join('\n\n')
  return {
    status,
    ...(isDuration(durationMs) ? { elapsed_ms: durationMs } : {}),
    ...(message === '' ? {} : { message: cutText(message, MAX_MESSAGE_LENGTH) }),
    ...(details === '' || details === message ? {} : { details: truncateNote(details) }),
    ...(files.length === 0 ? {} : { attachments: files.map(toDeclaration) }),
    ...(steps.length === 0 ? {} : { steps: steps.map(toUploadedStep) }),
  }
}

const toDeclaration = ({ name, sha256, byteCount, kind }: SpooledFile): DeclaredAttachment => ({
  name: toPlainText(name).trim() || 'file',
  sha256,
  byte_count: byteCount,
  ...(kind === undefined ? {} : { kind }),
})

const toUploadedStep = ({ title, status, depth, durationMs, message = '' }: TestStep): UploadedStep => ({
  title: toPlainText(title).trim() || 'step',
  status,
  depth,
  ...(isDuration(durationMs) ? { elapsed_ms: durationMs } : {}),
  ...(message === '' ? {} : { message: cutText(toPlainText(message).trim(), MAX_MESSAGE_LENGTH) }),
})

const isDuration = (durationMs: number | undefined): durationMs is number =>
  durationMs !== undefined && durationMs >= 0 && Number.isFinite(durationMs)

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

/** The errors outside of tests as the server stores them, with one for a suite that was killed or stopped. */
export function buildSuiteErrors({ errors, ending }: Pick<SuiteRecord, 'errors' | 'ending'>) {
  const ended: SuiteError[] =
    ending === null
      ? [{ location: THE_SUITE, message: 'The process ended before the suite did: results may be missing.' }]
      : ending.interrupted
        ? [{ location: THE_SUITE, message: 'The suite was stopped before all of its tests had run.' }]
        : []
  return [...errors, ...ended].slice(0, MAX_SUITE_ERRORS).map((error) => ({
    where: toPlainText(error.location).trim() || THE_SUITE,
    message: cutText(formatError(error) || 'Unknown error', MAX_MESSAGE_LENGTH),
  }))
}

const THE_SUITE = 'the suite'
