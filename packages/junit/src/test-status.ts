/** How a test ended, as a report says it. */
export type ReportedStatus = 'passed' | 'failed' | 'skipped' | 'interrupted'

/** The attributes by which tools say how a test or a suite ended. */
const STATUS_ATTRIBUTES = ['status', 'result', 'outcome'] as const

/** Attributes of a test that are true or false, and what they say if they are: NUnit 2 writes `executed` and `success`. */
const WHEN_TRUE = {
  failed: 'failed',
  skipped: 'skipped',
  disabled: 'skipped',
  ignored: 'skipped',
} as const satisfies Record<string, ReportedStatus>
const WHEN_FALSE = {
  success: 'failed',
  passed: 'failed',
  executed: 'skipped',
} as const satisfies Record<string, ReportedStatus>
const TRUE = /^(?:true|yes|1)$/i
// A count of passed tests may be 0.
const FALSE = /^(?:false|no)$/i

/** The worst first: GoogleTest writes `status="run"` and `result="skipped"` for one test. */
const WORST_FIRST: readonly ReportedStatus[] = ['failed', 'interrupted', 'skipped', 'passed']

/** The values that tools write, in lower case and without spaces, hyphens and underscores. */
const VALUES: Readonly<Record<ReportedStatus, string>> = {
  failed: 'fail failed failure error errored broken timeout timedout crashed unexpected',
  interrupted: 'interrupted aborted cancelled canceled incomplete',
  skipped:
    'skip skipped disabled ignored ignore notrun notexecuted suppressed pending todo filtered excluded inconclusive deselected',
  passed: 'pass passed ok success successful completed run expected',
}

const STATUS_BY_VALUE: ReadonlyMap<string, ReportedStatus> = new Map(
  WORST_FIRST.flatMap((status) => VALUES[status].split(' ').map((value) => [value, status] as const)),
)

/** A status that only attributes state. */
export interface AttributeStatus {
  readonly status: ReportedStatus
  /** A value that is not known, as `status="flagged"`; null if all are known. Such a test counts as passed. */
  readonly unknown: string | null
}

const PASSED: AttributeStatus = { status: 'passed', unknown: null }

const MAX_EXAMPLE_LENGTH = 100

const normalize = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '')

type ReadStatus = (text: string) => ReportedStatus | undefined

/** What is read of a test. Looking up ten names is faster than a loop over the attributes that it has. */
const READERS: readonly { readonly name: string; readonly read: ReadStatus; readonly isStatus: boolean }[] = [
  ...STATUS_ATTRIBUTES.map((name) => ({ name, read: readStatus, isStatus: true })),
  ...Object.entries(WHEN_TRUE).map(([name, status]) => ({ name, read: readWhen(TRUE, status), isStatus: false })),
  ...Object.entries(WHEN_FALSE).map(([name, status]) => ({ name, read: readWhen(FALSE, status), isStatus: false })),
]

function readStatus(text: string): ReportedStatus | undefined {
  return STATUS_BY_VALUE.get(normalize(text))
}

function readWhen(pattern: RegExp, status: ReportedStatus): ReadStatus {
  return (text) => (pattern.test(text) ? status : undefined)
}

/** Reads the status of a test without a failure, an error or a reason for skipping from its attributes. */
export function readAttributeStatus(attributes: Readonly<Record<string, string>>): AttributeStatus {
  let result = PASSED
  let isKnown = false
  for (const { name, read, isStatus } of READERS) {
    const value = attributes[name]
    const text = value === undefined ? '' : value.trim()
    if (text === '') continue
    const status = read(text)
    if (status === undefined) {
      if (isStatus && !isKnown) result = { status: 'passed', unknown: `${name}="${text.slice(0, MAX_EXAMPLE_LENGTH)}"` }
    } else if (!isKnown || WORST_FIRST.indexOf(status) < WORST_FIRST.indexOf(result.status)) {
      result = { status, unknown: null }
      isKnown = true
    }
  }
  return result
}

/** Returns the attribute by which a suite says that it has failed or was interrupted, such as `status="failed"`; null if none does. */
export function findFailedStatus(attributes: Readonly<Record<string, string>>): string | null {
  for (const name of STATUS_ATTRIBUTES) {
    const text = attributes[name] ?? ''
    const status = readStatus(text)
    if (status === 'failed' || status === 'interrupted') return `${name}="${text.slice(0, MAX_EXAMPLE_LENGTH)}"`
  }
  return null
}

/** Names of elements in a test that say how it ended, beside those of JUnit: `<Failure>`, `<disabled/>`, `<notRun/>`. */
const ELEMENTS: Readonly<Record<'failed' | 'skipped' | 'interrupted', string>> = {
  failed: 'failure failed fail error errored broken crashed',
  skipped: 'skipped skip disabled ignored ignore notrun notexecuted suppressed pending todo inconclusive',
  interrupted: 'interrupted aborted cancelled canceled',
}
const STATUS_BY_ELEMENT: ReadonlyMap<string, ReportedStatus> = new Map(
  (['failed', 'skipped', 'interrupted'] as const).flatMap((status) =>
    ELEMENTS[status].split(' ').map((name) => [name, status] as const),
  ),
)

/** Returns what an element in a test says of it; undefined if it says nothing. */
export const readElementStatus = (name: string): ReportedStatus | undefined => STATUS_BY_ELEMENT.get(normalize(name))
