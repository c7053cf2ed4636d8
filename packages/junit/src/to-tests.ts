import type { Attempt, ReportedTest } from '@caseward/matching/attempt'
import { type AttemptGroup, groupAttempts, type LoopYielder } from '@caseward/matching/group-attempts'
import { limitAttempts, MAX_ATTEMPTS } from '@caseward/matching/limit-attempts'
import { normalizeKey } from '@caseward/matching/normalize-key'
import { TRUNCATION_MARK } from '@caseward/matching/note'
import { isSourceFile } from '@caseward/matching/test-identity'

import type { AttemptDetail, JUnitReport, SuiteContext, TestAttempt } from './test-attempt.ts'

/** Names that tools give to every report. */
const ROOT_NAMES: ReadonlySet<string> = new Set([
  'pytest',
  'Mocha Tests',
  'Mocha',
  'jest tests',
  'Root Suite',
  'undefined',
  'vitest tests',
])
/** mocha-junit-reporter writes it before the titles of blocks. */
const ROOT_PREFIX = 'Root Suite '
/** The class of every test in a report of node:test. */
const NODE_TEST_CLASS = 'test'
const TITLE_SEPARATOR = ' > '

const MAX_MESSAGE_LENGTH = 10_000

/**
 * Converts a report to tests with their attempts. The suite is the class, after those names of the suites around it that
 * neither class nor name contain. Where suites of the same names ran on different hosts, the host is the variant: most
 * tools write the name of the machine there.
 */
export async function toReportedTests({ attempts }: JUnitReport, yielder: LoopYielder): Promise<ReportedTest[]> {
  const groups = await groupAttempts(attempts, yielder)
  const contexts = readContexts(groups)
  const tests: ReportedTest[] = []
  for (const group of groups) {
    if (yielder.shouldYield()) await yielder.yield()
    const test = toTest(group, contexts)
    if (test !== null) tests.push(test)
  }
  return tests
}

/** The name of a suite, and its normalized form. */
interface SuiteName {
  name: string
  key: string
}

/** What all tests of a suite have in common. */
interface SuiteNames {
  /** Names that say something, and that no test of the suite repeats. */
  names: readonly SuiteName[]
  file: string
  variant: string
}

function readContexts(groups: readonly AttemptGroup<TestAttempt>[]): Map<SuiteContext, SuiteNames> {
  const contexts = new Map<SuiteContext, SuiteName[]>()
  for (const { attempts } of groups) {
    for (const { context } of attempts) {
      if (!contexts.has(context)) contexts.set(context, context.names.flatMap(toSuiteName))
    }
  }
  for (const group of groups) removeRepeatedNames(contexts, group)
  const hostsByNames = new Map<string, Set<string>>()
  for (const { names, hostname } of contexts.keys()) {
    const key = names.join('\0')
    const hosts = hostsByNames.get(key)
    if (hosts === undefined) hostsByNames.set(key, new Set([hostname]))
    else hosts.add(hostname)
  }
  return new Map(
    [...contexts].map(([context, suiteNames]) => {
      const { names, file, hostname, variant } = context
      const hasSeveralHosts = (hostsByNames.get(names.join('\0'))?.size ?? 0) > 1
      return [
        context,
        {
          names: suiteNames,
          file: file || (names.findLast(isSourceFile) ?? ''),
          variant: variant || (hasSeveralHosts ? hostname : ''),
        },
      ]
    }),
  )
}

/**
 * Removes the names of suites that a test repeats. A tool that writes them into the tests does so for all of them: jest-junit
 * calls the suite of a file like its first block, and the tests of other blocks do not belong to that.
 */
function removeRepeatedNames(contexts: Map<SuiteContext, SuiteName[]>, group: AttemptGroup<TestAttempt>): void {
  const [source] = group.attempts
  const names = source === undefined ? undefined : contexts.get(source.context)
  if (source === undefined || names === undefined || names.length === 0) return
  const title = `${normalizeKey(group.classname)} ${normalizeKey(group.name)}`
  const others = names.filter(({ key }) => key !== '' && !title.includes(key))
  if (others.length < names.length) contexts.set(source.context, others)
}

function toSuiteName(rawName: string): SuiteName[] {
  const name = rawName.startsWith(ROOT_PREFIX) ? rawName.slice(ROOT_PREFIX.length) : rawName
  return ROOT_NAMES.has(name) || isSourceFile(name) ? [] : [{ name, key: normalizeKey(name) }]
}

function toTest(
  group: AttemptGroup<TestAttempt>,
  contexts: ReadonlyMap<SuiteContext, SuiteNames>,
): ReportedTest | null {
  const [first, ...others] = limitAttempts(limitExecutions(group.attempts).flatMap(toAttempts))
  const [source] = group.attempts
  if (first === undefined || source === undefined) return null
  const context = contexts.get(source.context)
  const classname = group.classname === NODE_TEST_CLASS ? '' : group.classname
  const file = source.file || context?.file || (isSourceFile(classname) ? classname : '')
  return {
    suite: getSuite(classname, context?.names ?? []),
    name: group.name,
    variant: context?.variant ?? '',
    file,
    ...(classname === '' ? {} : { classname }),
    testCaseIds: group.caseIds,
    tags: [],
    attempts: [first, ...others],
  }
}

const getSuite = (classname: string, names: readonly SuiteName[]): string =>
  [...names.map(({ name }) => name), classname].filter((part) => part !== '').join(TITLE_SEPARATOR)

/** A report can repeat a test 100,000 times. Only executions that can be kept are converted. */
function limitExecutions(executions: readonly TestAttempt[]): readonly TestAttempt[] {
  if (executions.length <= MAX_ATTEMPTS) return executions
  const passed = executions.find(({ status }) => status === 'passed')
  const failed = executions.find(({ status, details }) => status === 'failed' || details.some(isEarlierOrLater))
  return executions.filter((item, index) => index < MAX_ATTEMPTS || item === passed || item === failed)
}

const isEarlier = ({ kind }: AttemptDetail): boolean => kind.startsWith('flaky')
const isLater = ({ kind }: AttemptDetail): boolean => kind.startsWith('rerun')
const isEarlierOrLater = (detail: AttemptDetail): boolean => isEarlier(detail) || isLater(detail)

/** Surefire writes all attempts into one `<testcase>`: each flaky or rerun element is one more that failed. */
function toAttempts(attempt: TestAttempt): Attempt[] {
  const { status, elapsedSeconds, startedAt, details } = attempt
  const elapsedMs = elapsedSeconds === null ? null : elapsedSeconds * 1000
  const own = { status, elapsedMs, startedAt }
  if (details.length === 0) return [{ ...own, message: '', details: '' }]
  const rest = details.filter((detail) => !isEarlierOrLater(detail))
  return [
    ...details.filter(isEarlier).map(toFailedAttempt),
    { ...own, ...describeDetails(rest) },
    ...details.filter(isLater).map(toFailedAttempt),
  ]
}

const toFailedAttempt = (detail: AttemptDetail): Attempt => ({
  status: 'failed',
  elapsedMs: null,
  startedAt: null,
  ...describeDetails([detail]),
})

function describeDetails(details: readonly AttemptDetail[]): { message: string; details: string } {
  const [first, ...others] = details.map(describeDetail)
  if (first === undefined) return { message: '', details: '' }
  // Several failures of one attempt follow each other in the details.
  const rest = others.map((other) => [other.message, other.details].find((text) => text !== '') ?? '')
  return { message: first.message, details: [first.details, ...rest].filter((text) => text !== '').join('\n\n') }
}

/** The type is part of the message unless the texts contain it. */
function describeDetail({ type, message, text, isTruncated }: AttemptDetail): { message: string; details: string } {
  const body = text.trim() === '' ? '' : text
  const heading = message.trim()
  const isTyped = type.trim() === '' || body.includes(type.trim()) || heading.includes(type.trim())
  const fullHeading = isTyped ? heading : [type.trim(), heading].filter((part) => part !== '').join(': ')
  const fullBody =
    !isTyped && heading !== '' && body.trimStart().startsWith(heading) ? `${type.trim()}: ${body.trimStart()}` : body
  return {
    message: (fullHeading || (body.trim().split('\n', 1)[0] ?? '')).slice(0, MAX_MESSAGE_LENGTH),
    details:
      (fullHeading.length > MAX_MESSAGE_LENGTH ? `${fullHeading}\n${fullBody}` : fullBody) +
      (isTruncated ? TRUNCATION_MARK : ''),
  }
}
