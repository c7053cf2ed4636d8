/** How a test ended, as a report says it. */
export type ReportedStatus = 'passed' | 'failed' | 'skipped' | 'interrupted'

/** The attributes by which tools say how a test ended. */
const STATUS_ATTRIBUTES = ['status', 'result', 'outcome'] as const

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

/** Reads the status of a test without a failure, an error or a reason for skipping from its attributes. */
export function readAttributeStatus(attributes: Readonly<Record<string, string>>): AttributeStatus {
  let result = PASSED
  let isKnown = false
  for (const name of STATUS_ATTRIBUTES) {
    const text = attributes[name]?.trim() ?? ''
    if (text === '') continue
    const status = STATUS_BY_VALUE.get(text.toLowerCase().replace(/[\s_-]+/g, ''))
    if (status === undefined) {
      if (!isKnown) result = { status: 'passed', unknown: `${name}="${text.slice(0, MAX_EXAMPLE_LENGTH)}"` }
    } else if (!isKnown || WORST_FIRST.indexOf(status) < WORST_FIRST.indexOf(result.status)) {
      result = { status, unknown: null }
      isKnown = true
    }
  }
  return result
}
