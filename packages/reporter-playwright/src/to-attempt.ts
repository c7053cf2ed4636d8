import {
  type Attachment,
  type SuiteError,
  type TestAttempt,
  type TestError,
  toRelativePath,
} from '@caseward/reporter-core'

import type {
  Attachment as PlaywrightAttachment,
  Suite,
  TestCase,
  TestError as PlaywrightError,
  TestResult,
} from './framework-types.ts'
import { toSteps } from './to-steps.ts'

/** Maximum length of a chain of causes. */
const MAX_CAUSES = 5

export function getTestIdentity(
  test: TestCase,
  cwd: string,
): Pick<TestAttempt, 'testId' | 'titlePath' | 'file' | 'variant' | 'caseIds' | 'tags'> {
  const file = getSuites(test).at(-1)
  return {
    testId: test.id,
    titlePath: getTitlePath(test),
    file: toRelativePath(file?.location?.file ?? test.location.file, cwd),
    variant: test.parent.project()?.name || undefined,
    caseIds: getCaseIds(test.annotations),
    tags: test.tags,
  }
}

/** Converts a result. For a test that did not run, see `didNotRun`. */
export function toAttempt(test: TestCase, result: TestResult, cwd: string): TestAttempt {
  const annotations = [...test.annotations, ...(result.annotations ?? [])]
  const status = toAttemptStatus(test, result)
  return {
    ...getTestIdentity(test, cwd),
    caseIds: getCaseIds(annotations),
    defects: getDescriptions('issue', annotations),
    fields: getFields(annotations),
    status,
    durationMs: status === 'skipped' ? undefined : result.duration,
    errors: status === 'passed' ? [] : getErrors(test, result),
    comment: getComment(status, annotations),
    attachments: (result.attachments ?? []).filter(isPublic).map(toAttachment),
    steps: toSteps(result.steps ?? []),
  }
}

/** Playwright keeps data for its own reporters in attachments with an underscore. */
const isPublic = ({ name }: PlaywrightAttachment): boolean => !name.startsWith('_')

const toAttachment = ({ name, path, body }: PlaywrightAttachment): Attachment => ({
  name,
  path,
  body,
  kind: name === 'trace' ? 'trace' : undefined,
})

/** Returns whether Playwright skipped a test because of an earlier failure. */
export const didNotRun = (test: TestCase, result: TestResult): boolean =>
  result.status === 'skipped' && test.expectedStatus !== 'skipped'

/** Converts an error outside of tests: of a file that did not load, the global setup, or a worker. */
export function toSuiteError(error: PlaywrightError, cwd: string): SuiteError {
  const { message, stack } = toTestError(error)
  return {
    location: error.location === undefined ? 'the suite' : toRelativePath(error.location.file, cwd),
    message,
    stack,
  }
}

/** Returns the blocks of a test, the innermost first, and its file. */
export function getSuites(test: TestCase): Suite[] {
  const suites: Suite[] = []
  for (let suite: Suite | undefined = test.parent; suite !== undefined; suite = suite.parent) suites.push(suite)
  // The last two are the project and the root.
  return suites.slice(0, -2)
}

function toAttemptStatus(test: TestCase, { status }: TestResult): TestAttempt['status'] {
  if (status === 'skipped') return 'skipped'
  if (status === 'interrupted') return 'interrupted'
  return status === test.expectedStatus ? 'passed' : 'failed'
}

/** Returns the errors of an attempt with their causes. */
export function getErrors({ expectedStatus }: TestCase, { status, errors }: TestResult): TestError[] {
  if (status === 'passed' && expectedStatus === 'failed') return [{ message: 'Expected to fail, but passed.' }]
  return errors.flatMap((error) => withCauses(error).map(toTestError))
}

function withCauses(error: PlaywrightError): PlaywrightError[] {
  const chain: PlaywrightError[] = []
  for (let next: PlaywrightError | undefined = error; next !== undefined; next = next.cause) {
    if (chain.push(next) === MAX_CAUSES) break
  }
  return chain
}

const toTestError = ({ message, value, stack }: PlaywrightError): TestError => ({
  message: message ?? value ?? 'The test failed.',
  stack,
})

/** Returns why a test was skipped or expected to fail. */
function getComment(status: TestAttempt['status'], annotations: TestCase['annotations']): string | undefined {
  const types = status === 'skipped' ? ['skip', 'fixme'] : status === 'passed' ? ['fail'] : []
  return types.flatMap((type) => getDescriptions(type, annotations))[0]
}

/** Annotations with ids of other tools, and their names. */
const toolAnnotations = [
  ['TestRail', 'testrail'],
  ['QaseID', 'qase'],
  ['tms', 'tms'],
] as const

/** Ids of test cases; those of other tools begin with its name. */
const getCaseIds = (annotations: TestCase['annotations']): string[] => [
  ...getDescriptions('test_case_id', annotations),
  ...toolAnnotations.flatMap(([type, system]) =>
    getDescriptions(type, annotations).flatMap((text) => (text.match(/[^\s,]+/g) ?? []).map((id) => `${system}:${id}`)),
  ),
]

const getDescriptions = (type: string, annotations: TestCase['annotations']): string[] => [
  ...new Set(annotations.flatMap((annotation) => (annotation.type === type ? (annotation.description ?? []) : []))),
]

const FIELD_TYPE = /^field:(.+)$/

/** Values of custom fields: the annotations `field:<key>`. */
function getFields(annotations: TestCase['annotations']): Record<string, string> | undefined {
  const fields = annotations.flatMap(({ type, description = '' }) => {
    const [, key] = FIELD_TYPE.exec(type) ?? []
    return key === undefined ? [] : [[key, description] as const]
  })
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

const getTitlePath = (test: TestCase): string[] => [
  ...getSuites(test)
    .slice(0, -1)
    .map(({ title }) => title)
    .reverse(),
  test.title,
]
