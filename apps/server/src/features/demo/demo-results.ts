import type { StepChange } from '@caseward/contract/step-results'
import type { ResultStatus } from '@caseward/contract/results'
import type { Attempt, ReportedTest } from '@caseward/matching/attempt'

import type { DemoCase } from './content/demo-case.ts'
import type { NightlyRun } from './demo-runs.ts'
import { pick } from './random.ts'

/** A test case of the demo project with its number, from 1. */
export type NumberedCase = DemoCase & { number: number }

export interface ManualResult {
  status: ResultStatus
  note: string | null
  /** Seconds. */
  elapsed: number
  /** Results of steps; none if the tester set the result at once. */
  steps: StepChange[]
  /** The address of the defect that was found; null for none. */
  defect: string | null
}

const problems = [
  'the page showed the old value until it was reloaded',
  'nothing happened for 20 seconds, and then an error without text appeared',
  'the total was 0.01 € too high',
  'the button stayed grey',
  'the mail arrived twice',
  'the text was cut off on a phone',
  'the focus jumped to the top of the page',
  'the sentence was English although German was chosen',
] as const

const obstacles = [
  'The test system of the payment provider did not answer.',
  'No test customer with enough points: asked Ben for one.',
  'The search index was being rebuilt all morning.',
] as const

/** What a tester found. The same test cases make trouble again and again, as in any shop. */
export function testByHand({ number, steps }: NumberedCase, isOld: boolean, random: () => number): ManualResult {
  const elapsed = Math.round(20 + random() ** 2 * 220)
  const isTroubled = number % 19 === 4
  const chance = random()
  if (chance < (isTroubled ? 0.75 : 0.03)) {
    const [, expected = ''] = steps.at(-1) ?? []
    const actual = pick(problems, random) ?? ''
    const note = `Step ${steps.length}: ${actual}. Expected: ${expected.replace(/\.$/, '')}.`
    const defect = isTroubled ? `https://acme.atlassian.net/browse/SHOP-${number + 400}` : null
    return { ...NOTHING_FOUND, status: 'failed', note, elapsed, steps: failLast(steps.length, actual), defect }
  }
  if (chance > 0.985) return { ...NOTHING_FOUND, status: 'blocked', note: pick(obstacles, random) ?? null, elapsed }
  if (!isOld && chance > 0.97)
    return { ...NOTHING_FOUND, status: 'retest', note: 'Fixed according to Ben; test again.', elapsed }
  return {
    ...NOTHING_FOUND,
    status: 'passed',
    note: chance > 0.94 ? 'Slower than last time, but right.' : null,
    elapsed,
  }
}

const NOTHING_FOUND = { steps: [], defect: null } satisfies Partial<ManualResult>

/** All steps but the last one passed. */
const failLast = (count: number, actual: string): StepChange[] =>
  Array.from({ length: count }, (_, index) =>
    index + 1 < count ? { position: index + 1, status: 'passed' } : { position: count, status: 'failed', actual },
  )

/** What was found when failed test cases were tested again: nearly all were repaired. */
export const testAgain = (index: number, random: () => number): ManualResult => ({
  ...NOTHING_FOUND,
  status: index === 3 ? 'failed' : 'passed',
  note: index === 3 ? 'Still there on a slow connection.' : null,
  elapsed: Math.round(20 + random() ** 2 * 220),
})

/** Since which build these automated tests fail, by the place of the test; later than all builds: never. */
const FAILING_SINCE = new Map([
  [7, 825],
  [22, 839],
  [41, 842],
])
const FLAKY: ReadonlySet<number> = new Set([3, 10, 15, 19, 25, 28, 31, 36, 46, 49])

const errors = [
  ['Error: expected "Paid", received "Payment pending"', 'at e2e/checkout/payment.spec.ts:48:31'],
  ['TimeoutError: the button "Continue" did not appear in 10 s', 'at e2e/support/open-page.ts:17:9'],
  ['Error: expected 59.80, received 59.81', 'at e2e/support/expect-total.ts:22:11'],
] as const

/** The automated tests of a build: those of all test cases of high priority that are no matter of looks. */
export function runNightly(
  cases: readonly NumberedCase[],
  { build }: NightlyRun,
  random: () => number,
): ReportedTest[] {
  const tests = cases.filter(isAutomated).map((testCase, place) => {
    const isFailing = build >= (FAILING_SINCE.get(place) ?? Infinity)
    const isFlaky = FLAKY.has(place) && (build + place) % 3 === 0
    const attempts: [Attempt, ...Attempt[]] = isFailing
      ? [fail(place, random), fail(place, random)]
      : isFlaky
        ? [fail(place, random), pass(random)]
        : [place % 31 === 11 ? skip() : pass(random)]
    return toTest(testCase, `WEB-${testCase.number} ${testCase.title}`, attempts)
  })
  return [...tests, ...runUnmatched(random)]
}

const isAutomated = ({ priority, type = 'functional' }: DemoCase): boolean =>
  (priority === 'critical' || priority === 'high') && ['functional', 'end_to_end', 'api', 'integration'].includes(type)

/** Tests that nobody has written a test case for yet. */
const runUnmatched = (random: () => number): ReportedTest[] =>
  ['keeps the basket while the currency changes', 'sends the newsletter once', 'shows the banner of the sale'].map(
    (name) => toTest({ path: ['Start page'] }, `Start page > ${name}`, [pass(random)]),
  )

function toTest({ path }: Pick<DemoCase, 'path'>, name: string, attempts: ReportedTest['attempts']): ReportedTest {
  const file = `e2e/${path.map((folder) => folder.toLowerCase().replaceAll(' ', '-')).join('/')}.spec.ts`
  return { suite: file, file, name, variant: '', testCaseIds: [], tags: [], attempts }
}

const pass = (random: () => number): Attempt => ({
  status: 'passed',
  elapsedMs: Math.round(300 + random() ** 3 * 9000),
  message: '',
  details: '',
  startedAt: null,
})

function fail(place: number, random: () => number): Attempt {
  const [message, details] = errors[place % errors.length] ?? ['', '']
  return { ...pass(random), status: 'failed', message, details }
}

const skip = (): Attempt => ({
  status: 'skipped',
  elapsedMs: null,
  message: 'The test system has no parcel lockers yet.',
  details: '',
  startedAt: null,
})
