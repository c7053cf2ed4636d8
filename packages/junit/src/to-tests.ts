import { createHash } from 'node:crypto'

import type { Attempt, ReportedTest } from '@caseward/matching/attempt'
import { type AttemptGroup, groupAttempts, type LoopYielder } from '@caseward/matching/group-attempts'
import { limitAttempts, MAX_ATTEMPTS } from '@caseward/matching/limit-attempts'
import { TRUNCATION_MARK } from '@caseward/matching/note'
import { isSourceFile } from '@caseward/matching/test-identity'

import { addEvidence, addSuiteFiles, toAttachment } from './add-evidence.ts'
import { unescapeNodeText } from './dialect.ts'
import { type EqualNames, findRetriedSuites, splitRepeated } from './split-repeated.ts'
import { readSuiteNames } from './suite-names.ts'
import type { AttemptDetail, JUnitReport, SuiteContext, TestAttempt } from './test-attempt.ts'

/** The class of every test in a report of node:test. */
const NODE_TEST_CLASS = 'test'
const TITLE_SEPARATOR = ' > '

export type { EqualNames } from './split-repeated.ts'

const MAX_MESSAGE_LENGTH = 10_000

export interface ToTestsOptions {
  /** What several elements of the same names in one suite are: `tests`, unless set. A function is called only if there are some. */
  equalNames?: EqualNames | (() => Promise<EqualNames>) | undefined
  /** Directory of the package of the report, relative to the repository. */
  module?: string | undefined
}

/**
 * Converts a report to tests with their attempts. The suite is the class, after those names of the suites around it that
 * neither class nor name repeat. Where suites of the same names ran on different hosts, the host is the variant: most
 * tools write the name of the machine there.
 */
export async function toReportedTests(
  { attempts }: Pick<JUnitReport, 'attempts'>,
  yielder: LoopYielder,
  { equalNames = 'tests', module }: ToTestsOptions = {},
): Promise<ReportedTest[]> {
  const groups = await groupAttempts(attempts, yielder)
  const contexts = await readContexts(groups, yielder)
  const hasEqualNames = groups.some((group) => group.attempts.length > 1)
  const options = {
    equalNames: await chooseEqualNames(equalNames, hasEqualNames),
    retriedSuites: findRetriedSuites(attempts),
  }
  const suiteLabels = labelSuites(groups)
  const tests: ReportedTest[] = []
  const parts = { contexts, suiteLabels, module }
  const add = (group: AttemptGroup<TestAttempt>, executions: readonly TestAttempt[]) => {
    const test = toTest(group, executions, parts)
    if (test !== null) tests.push(test)
  }
  for (const group of groups) {
    if (yielder.shouldYield()) await yielder.yield()
    if (group.attempts.length === 1) {
      add(group, group.attempts)
      continue
    }
    // A group can have all elements of a report.
    for (const executions of splitRepeated(group.attempts, options)) {
      if (yielder.shouldYield()) await yielder.yield()
      add(group, executions)
    }
  }
  return tests
}

async function chooseEqualNames(
  equalNames: EqualNames | (() => Promise<EqualNames>),
  hasEqualNames: boolean,
): Promise<EqualNames> {
  if (typeof equalNames === 'string') return equalNames
  return hasEqualNames ? await equalNames() : 'tests'
}

interface ReportParts {
  contexts: ReadonlyMap<SuiteContext, TestContext>
  suiteLabels: ReadonlyMap<number, string>
  module: string | undefined
}

/** Names suites by their first test, so that they have the same names in another order, such as that of their durations. */
function labelSuites(groups: readonly AttemptGroup<TestAttempt>[]): Map<number, string> {
  const labels = new Map<number, string>()
  const counts = new Map<string, number>()
  for (const { classname, name, attempts } of groups) {
    const suite = attempts[0]?.suite ?? 0
    if (labels.has(suite)) continue
    const digest = createHash('sha256').update(`${classname}\0${name}`).digest('hex').slice(0, 12)
    const count = (counts.get(digest) ?? 0) + 1
    counts.set(digest, count)
    labels.set(suite, count === 1 ? digest : `${digest}-${count}`)
  }
  return labels
}

/** What all tests of a suite have in common. */
interface TestContext {
  /** The names of the suites around the tests, and those that earlier versions kept. */
  title: string
  formerTitle: string
  file: string
  variant: string
}

async function readContexts(
  groups: readonly AttemptGroup<TestAttempt>[],
  yielder: LoopYielder,
): Promise<Map<SuiteContext, TestContext>> {
  const suiteNames = await readSuiteNames(groups, yielder)
  const hostsByNames = new Map<string, Set<string>>()
  for (const { names, hostname } of suiteNames.keys()) {
    const key = names.join('\0')
    const hosts = hostsByNames.get(key)
    if (hosts === undefined) hostsByNames.set(key, new Set([hostname]))
    else hosts.add(hostname)
  }
  return new Map(
    [...suiteNames].map(([context, chosen]) => {
      const { names, file, hostname, variant } = context
      const hasSeveralHosts = (hostsByNames.get(names.join('\0'))?.size ?? 0) > 1
      return [
        context,
        {
          title: joinNames(chosen.names),
          formerTitle: joinNames(chosen.formerNames),
          file: file || (names.findLast(isSourceFile) ?? ''),
          variant: variant || (hasSeveralHosts ? hostname : ''),
        },
      ]
    }),
  )
}

function toTest(
  group: AttemptGroup<TestAttempt>,
  executions: readonly TestAttempt[],
  { contexts, suiteLabels, module }: ReportParts,
): ReportedTest | null {
  const [source] = executions
  if (source === undefined) return null
  const isNode = group.classname === NODE_TEST_CLASS && source.context.dialect === 'node-test'
  const attempts = readAttempts(executions, isNode)
  if (attempts === null) return null
  const context = contexts.get(source.context)
  const { title = '', formerTitle = '' } = context ?? {}
  const classname = group.classname === NODE_TEST_CLASS ? '' : group.classname
  const file = source.file || context?.file || (isSourceFile(classname) ? classname : '')
  const writtenSuite = joinTitles(title, classname)
  const suite = isNode ? unescapeNodeText(writtenSuite) : writtenSuite
  const name = isNode ? unescapeNodeText(group.name) : group.name
  const formerSuite = formerTitle === title ? writtenSuite : joinTitles(formerTitle, classname)
  // All with the same fields in the same order, also those that are unknown: V8 reads them faster.
  const test: ReportedTest = {
    suite,
    name,
    variant: context?.variant ?? '',
    file,
    classname: classname === '' ? undefined : classname,
    module,
    former: formerSuite === suite && group.name === name ? undefined : { suite: formerSuite, name: group.name },
    // Without a file, tests of one suite are known to belong together.
    reportSuite: file === '' ? suiteLabels.get(source.suite) : undefined,
    testCaseIds: group.caseIds,
    tags: NO_TAGS,
    attempts: source.context.files.length === 0 ? attempts : addSuiteFiles(attempts, source.context.files),
  }
  if (executions.every(({ evidence }) => evidence === null)) return test
  const links = executions.flatMap(({ evidence }) => evidence?.links ?? [])
  const fields = executions.flatMap(({ evidence }) => evidence?.fields ?? [])
  const linked = links.length === 0 ? test : { ...test, links }
  if (fields.length === 0) return linked
  return { ...linked, fields: Object.fromEntries(fields.map(({ key, value }) => [key, value])) }
}

/** Shared, because a report can have 250,000 tests. */
const NO_TAGS: readonly string[] = []

/** Nearly every test was executed once and has no more to say. */
function readAttempts(executions: readonly TestAttempt[], isNode: boolean): ReportedTest['attempts'] | null {
  const [only] = executions
  if (executions.length === 1 && only?.details.length === 0 && only.evidence === null) return [toPlainAttempt(only)]
  const [first, ...others] = limitAttempts(limitExecutions(executions).flatMap((item) => toAttempts(item, isNode)))
  return first === undefined ? null : [first, ...others]
}

const toPlainAttempt = ({ status, elapsedSeconds, startedAt }: TestAttempt): Attempt => ({
  status,
  elapsedMs: elapsedSeconds === null ? null : elapsedSeconds * 1000,
  message: '',
  details: '',
  startedAt,
})

const joinTitles = (outer: string, inner: string): string =>
  outer === '' || inner === '' ? outer + inner : outer + TITLE_SEPARATOR + inner

const joinNames = (names: readonly string[]): string => names.filter((name) => name !== '').join(TITLE_SEPARATOR)

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
function toAttempts(attempt: TestAttempt, isNode: boolean): Attempt[] {
  const own = toPlainAttempt(attempt)
  const details = isNode ? attempt.details.map(unescapeDetail) : attempt.details
  const earlier = details.filter(isEarlier)
  const rest = details.filter((detail) => !isEarlierOrLater(detail))
  const attempts = [
    ...earlier.map(toFailedAttempt),
    details.length === 0 ? own : { ...own, ...describeDetails(rest) },
    ...details.filter(isLater).map(toFailedAttempt),
  ]
  return attempt.evidence === null ? attempts : addEvidence(attempts, attempt.evidence, earlier.length)
}

const unescapeDetail = (detail: AttemptDetail): AttemptDetail => ({
  ...detail,
  message: unescapeNodeText(detail.message),
})

const toFailedAttempt = (detail: AttemptDetail): Attempt => ({
  status: 'failed',
  elapsedMs: null,
  startedAt: null,
  ...describeDetails([detail]),
  ...(detail.files === undefined ? {} : { attachments: detail.files.map(toAttachment) }),
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
