import type { StepChange } from '@caseward/contract/step-results'
import type { ResultStatus } from '@caseward/contract/results'
import type { Attempt, ReportedTest } from '@caseward/matching/attempt'

import type { DemoCase } from './content/demo-case.ts'
import { createRandom, pick } from './random.ts'

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

/** In which builds these automated tests fail, by the place of the test: from one on until the one that repairs it. */
const FAILING: ReadonlyMap<number, readonly [from: number, until: number]> = new Map([
  [7, [818, 825]],
  [22, [839, Infinity]],
  [41, [842, Infinity]],
])
/** How often these tests need a second attempt, from 0 to 1, by the place of the test. */
const FLAKY: ReadonlyMap<number, number> = new Map([
  [3, 0.5],
  [10, 0.35],
  [15, 0.3],
  [19, 0.25],
  [25, 0.4],
  [28, 0.3],
  [31, 0.25],
  [46, 0.35],
])
/** Tests that needed one in a single build, by the place of the test. */
const FLAKED_ONCE: ReadonlyMap<number, number> = new Map([
  [36, 840],
  [49, 836],
])
/** A flaky test that did not pass in its second attempt, either. */
const UNLUCKY = { place: 3, build: 842 }
/** A test that takes longer since a build. */
const SLOWER = { place: 33, since: 838, ms: 14_000 }

type DemoError = readonly [message: string, details: string]

const errors: readonly DemoError[] = [
  ['Error: expected "Paid", received "Payment pending"', 'at e2e/checkout/payment.spec.ts:48:31'],
  ['TimeoutError: the button "Continue" did not appear in 10 s', 'at e2e/support/open-page.ts:17:9'],
  ['Error: expected 59.80, received 59.81', 'at e2e/support/expect-total.ts:22:11'],
]
const OUTAGE: DemoError = ['Error: connect ECONNREFUSED 10.0.4.17:8443', 'at e2e/support/start-shop.ts:31:11']
const BROKEN: DemoError = [
  'TypeError: Cannot read properties of undefined (reading "lockerId")',
  'at chooseDelivery (src/checkout/delivery.ts:112:24)',
]

/** The automated tests of a build: those of all test cases of high priority that are no matter of looks. */
export function runAutomated(
  cases: readonly NumberedCase[],
  { build, breaks = [] }: { build: number; breaks?: readonly number[] },
  random: () => number,
): ReportedTest[] {
  const tests = cases.filter(isAutomated).map((testCase, place) => {
    const [from, until] = FAILING.get(place) ?? [Infinity, Infinity]
    const isFailing = build >= from && build < until
    const isFlaky = createRandom(build * 100 + place)() < (FLAKY.get(place) ?? 0) || FLAKED_ONCE.get(place) === build
    const isUnlucky = place === UNLUCKY.place && build === UNLUCKY.build
    const usualMs = getUsualMs(place) + (place === SLOWER.place && build >= SLOWER.since ? SLOWER.ms : 0)
    const passed = pass(usualMs, random)
    const attempts: [Attempt, ...Attempt[]] = breaks.includes(place)
      ? [fail(BROKEN, usualMs, random), fail(BROKEN, usualMs, random)]
      : isFailing || isUnlucky
        ? [fail(getError(place), usualMs, random), fail(getError(place), usualMs, random)]
        : isFlaky
          ? [fail(getError(place), usualMs, random), passed]
          : [place % 31 === 11 ? skip() : passed]
    return toTest(testCase, nameTest(testCase), attempts)
  })
  return [...tests, ...runUnmatched(random)]
}

/** The same tests while the test system is down: nine of ten of those that are not skipped fail. */
export const runDuringOutage = (tests: readonly ReportedTest[], random: () => number): ReportedTest[] =>
  tests.map((test, place) =>
    place % 10 === 0 || test.attempts[0].status === 'skipped'
      ? test
      : { ...test, attempts: [fail(OUTAGE, 40, random)] },
  )

const isAutomated = ({ priority, type = 'functional' }: DemoCase): boolean =>
  (priority === 'critical' || priority === 'high') && ['functional', 'end_to_end', 'api', 'integration'].includes(type)

/** The name of the automated test at a place. */
export function getTestName(cases: readonly NumberedCase[], place: number): string {
  const testCase = cases.filter(isAutomated)[place]
  if (testCase === undefined) throw new Error(`The demo has no automated test at place ${place}`)
  return nameTest(testCase)
}

const nameTest = ({ number, title }: NumberedCase): string => `WEB-${number} ${title}`

/** Tests that nobody has written a test case for yet. */
const runUnmatched = (random: () => number): ReportedTest[] =>
  ['keeps the basket while the currency changes', 'sends the newsletter once', 'shows the banner of the sale'].map(
    (name, place) => toTest({ path: ['Start page'] }, `Start page > ${name}`, [pass(800 + 300 * place, random)]),
  )

function toTest({ path }: Pick<DemoCase, 'path'>, name: string, attempts: ReportedTest['attempts']): ReportedTest {
  const file = `e2e/${path.map((folder) => folder.toLowerCase().replaceAll(' ', '-')).join('/')}.spec.ts`
  return { suite: file, file, name, variant: '', testCaseIds: [], tags: [], attempts }
}

const getUsualMs = (place: number): number => 300 + createRandom(place)() ** 3 * 9000

/** Takes up to a tenth more or less than usual. */
const pass = (usualMs: number, random: () => number): Attempt => ({
  status: 'passed',
  elapsedMs: Math.round(usualMs * (0.9 + random() * 0.2)),
  message: '',
  details: '',
  startedAt: null,
})

const getError = (place: number): DemoError => errors[place % errors.length] ?? ['', '']

const fail = ([message, details]: DemoError, usualMs: number, random: () => number): Attempt => ({
  ...pass(usualMs, random),
  status: 'failed',
  message,
  details,
})

const skip = (): Attempt => ({
  status: 'skipped',
  elapsedMs: null,
  message: 'The test system has no parcel lockers yet.',
  details: '',
  startedAt: null,
})
