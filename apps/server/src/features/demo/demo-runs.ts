/** A release of the demo project. Days count from today. */
export interface DemoMilestone {
  name: string
  description: string
  startDay: number
  dueDay: number
  isCompleted: boolean
  parts: readonly { name: string; startDay: number; dueDay: number }[]
}

export const demoMilestones: readonly DemoMilestone[] = [
  {
    name: 'Release 2.3',
    description: 'Gift cards and the new wish list.',
    startDay: -56,
    dueDay: -27,
    isCompleted: true,
    parts: [],
  },
  {
    name: 'Release 2.4',
    description: 'Loyalty points in the app, delivery to parcel lockers, and a faster checkout.',
    startDay: -21,
    dueDay: 5,
    isCompleted: false,
    parts: [
      { name: 'Regression', startDay: -10, dueDay: 4 },
      { name: 'Accessibility', startDay: -5, dueDay: 5 },
    ],
  },
  {
    name: 'Release 2.5',
    description: 'Polish shop, and returns without a printer.',
    startDay: 8,
    dueDay: 36,
    isCompleted: false,
    parts: [],
  },
]

/** A run that testers execute. */
export interface ManualRun {
  kind: 'manual'
  name: string
  /** The names of the milestone and, after a slash, of its part. */
  milestone: string
  startDay: number
  days: number
  isCompleted: boolean
  /** The share of the test cases that are tested, from 0 to 1. */
  tested: number
  /** Whether each test case is tested in all browsers. */
  inBrowsers?: true
  /** Chooses the test cases by their number and folders. */
  contains: (testCase: { index: number; path: readonly string[]; tags: readonly string[] }) => boolean
}

/** What failed in a run by hand, tested again. */
export interface Rerun {
  kind: 'rerun'
  /** The name of the run. */
  of: string
  startDay: number
  days: number
}

/** A run of the automated tests of the main branch. */
export interface NightlyRun {
  kind: 'nightly'
  build: number
  startDay: number
  /** Whether the test system was down at first, so that the job ran again. */
  hasOutage?: true
}

/** A run of the automated tests of a pull request. */
export interface PullRequestRun {
  kind: 'pull_request'
  number: number
  branch: string
  /** The nightly build whose commit it is based on. */
  build: number
  startDay: number
  /** The places of the tests that it breaks. */
  breaks: readonly number[]
}

/** From the oldest to the newest. */
export const demoRuns: readonly (ManualRun | Rerun | NightlyRun | PullRequestRun)[] = [
  {
    kind: 'manual',
    name: 'Regression 2.3',
    milestone: 'Release 2.3',
    startDay: -41,
    days: 5,
    isCompleted: true,
    tested: 1,
    contains: ({ index }) => index % 5 !== 4,
  },
  { kind: 'nightly', build: 806, startDay: -40 },
  { kind: 'rerun', of: 'Regression 2.3', startDay: -35, days: 0.5 },
  {
    kind: 'manual',
    name: 'Smoke test 2.3',
    milestone: 'Release 2.3',
    startDay: -34,
    days: 1,
    isCompleted: true,
    tested: 1,
    contains: ({ tags }) => tags.includes('smoke'),
  },
  { kind: 'nightly', build: 811, startDay: -33 },
  {
    kind: 'manual',
    name: 'Hotfix 2.3.1: prices in the basket',
    milestone: 'Release 2.3',
    startDay: -29,
    days: 1,
    isCompleted: true,
    tested: 1,
    contains: ({ path: [folder] }) => folder === 'Basket' || folder === 'Checkout',
  },
  { kind: 'nightly', build: 818, startDay: -26 },
  { kind: 'nightly', build: 825, startDay: -19 },
  { kind: 'nightly', build: 828, startDay: -16 },
  { kind: 'nightly', build: 830, startDay: -14 },
  { kind: 'nightly', build: 832, startDay: -12 },
  { kind: 'nightly', build: 834, startDay: -10 },
  {
    kind: 'manual',
    name: 'Regression 2.4',
    milestone: 'Release 2.4/Regression',
    startDay: -9,
    days: 9,
    isCompleted: false,
    tested: 0.71,
    contains: ({ index }) => index % 6 !== 5,
  },
  { kind: 'nightly', build: 836, startDay: -8 },
  { kind: 'nightly', build: 838, startDay: -6, hasOutage: true },
  { kind: 'nightly', build: 839, startDay: -5 },
  {
    kind: 'manual',
    name: 'Accessibility 2.4',
    milestone: 'Release 2.4/Accessibility',
    startDay: -4,
    days: 4,
    isCompleted: false,
    tested: 0.5,
    inBrowsers: true,
    contains: ({ tags }) => tags.includes('accessibility'),
  },
  { kind: 'nightly', build: 840, startDay: -3 },
  { kind: 'nightly', build: 841, startDay: -1.5 },
  { kind: 'pull_request', number: 512, branch: 'wish-list-for-guests', build: 841, startDay: -1, breaks: [] },
  { kind: 'pull_request', number: 517, branch: 'parcel-lockers', build: 841, startDay: -0.3, breaks: [23, 24] },
  { kind: 'nightly', build: 842, startDay: -0.02 },
]
