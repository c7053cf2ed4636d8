import { type Attempt, ATTEMPT_STATUSES, type AttemptStatus } from '@caseward/matching/attempt'

/** What in CI produced a report. Texts are '' when unknown. */
export interface Source {
  /** CI's name of the job, the same in all builds. */
  readonly job: string
  /** What tells the executions of a job within one build attempt apart. */
  readonly instance: string
  readonly shard: string
  readonly variant: string
  /** Path of the report file. */
  readonly report: string
  /** Where it ran, for people: `linux x64, Node 20`. */
  readonly label: string
  /** Page of the CI job. */
  readonly jobUrl: string
  /** CI's number of the rerun of the job; null if unknown. */
  readonly buildAttempt: number | null
  /** Whether it ran tests again that other sources of the build had run, as the caller says. */
  readonly isRerun: boolean
}

/** What one source reported of a test. */
export interface Part {
  readonly source: Source
  readonly status: AttemptStatus
  readonly isFlaky: boolean
  readonly attempts: readonly Attempt[]
  /** Milliseconds since 1970. */
  readonly testedAt: number
}

/** What follows from all parts of a test. */
export interface CombinedOutcome {
  readonly status: AttemptStatus
  readonly isFlaky: boolean
  /** The attempts of the part that decides, after those that it repeats; the newest of very many. The parts have all. */
  readonly attempts: readonly Attempt[]
  /** The time of the newest part that executed the test; if none did, of the newest. */
  readonly testedAt: number
}

/** A job can run again any number of times, and a number of attempts has 16 bits in the database. */
const MAX_ATTEMPTS = 1000

/** A test in one place of the build, with all build attempts there in their order. */
export interface Leg {
  readonly parts: Part[]
  /** The build attempts of `parts`, each with what its parts say together. */
  status: AttemptStatus
  isFlaky: boolean
}

/**
 * Combines what several sources reported of one test in one run. The order of the parts makes no difference.
 *
 * A later build attempt of a job is a further attempt: the newest one that executed the test decides. Everything else stands
 * beside each other, and the worst counts: only what is known to be a rerun may turn a failure green.
 * @param parts at least one; each source at most once
 */
export function combineParts(parts: readonly Part[]): CombinedOutcome {
  const legs = groupByPlace(parts)
  const worst = findWorst(legs)
  const executed = parts.filter(({ status }) => status !== 'skipped')
  return {
    status: worst?.status ?? 'skipped',
    isFlaky: worst?.status === 'passed' && legs.some(({ isFlaky }) => isFlaky),
    attempts: worst?.parts.flatMap(({ attempts }) => attempts).slice(-MAX_ATTEMPTS) ?? [],
    // An execution that arrives later may be older than a skipped test, and must not look older than what it decides.
    testedAt: Math.max(...(executed.length > 0 ? executed : parts).map(({ testedAt }) => testedAt)),
  }
}

/** Groups the parts of a test by the place where they ran: those of one group repeat each other. */
export function groupByPlace(parts: readonly Part[]): Leg[] {
  const sorted = parts.toSorted((a, b) => compareTexts(toSortKey(a.source), toSortKey(b.source)))
  const legs = [...groupByJob(sorted.filter(({ source }) => !source.isRerun)).values()].flatMap(toLegs)
  for (const rerun of sorted.filter(({ source }) => source.isRerun).toSorted((a, b) => a.testedAt - b.testedAt)) {
    applyRerun(legs, rerun)
  }
  return legs
}

/** The worst first. Unlike attempts of one test, a pass beside a failure does not decide. */
const STATUSES_BY_SEVERITY: readonly AttemptStatus[] = [
  ...ATTEMPT_STATUSES.filter((status) => status !== 'passed' && status !== 'skipped'),
  'passed',
  'skipped',
]

export const findWorst = <T extends { readonly status: AttemptStatus }>(outcomes: readonly T[]): T | undefined => {
  const worst = STATUSES_BY_SEVERITY.find((status) => outcomes.some((outcome) => outcome.status === status))
  return outcomes.find(({ status }) => status === worst)
}

const hasFailed = (status: AttemptStatus): boolean => status !== 'passed' && status !== 'skipped'

const toSortKey = (source: Source): string =>
  JSON.stringify([
    source.job,
    source.instance,
    source.shard,
    source.variant,
    source.report,
    // Numbers of the same length are in the order of their digits.
    String(source.buildAttempt ?? 0).padStart(16, '0'),
    source.label,
  ])

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** Only parts of the same job can be attempts of each other. A part of an unknown job or build attempt stands alone. */
function groupByJob(parts: readonly Part[]): Map<string, Part[]> {
  const groups = new Map<string, Part[]>()
  for (const [index, part] of parts.entries()) {
    const { job, buildAttempt } = part.source
    const key = job === '' || buildAttempt === null ? `alone ${index}` : `job ${job}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [part])
    else group.push(part)
  }
  return groups
}

/** Puts each part of a job behind the parts of earlier build attempts that it repeats. */
function toLegs(parts: readonly Part[]): Leg[] {
  const legs: Leg[] = []
  const buildAttempts = [...new Set(parts.map(({ source }) => source.buildAttempt ?? 0))].toSorted((a, b) => a - b)
  for (const buildAttempt of buildAttempts) {
    const current = parts.filter(({ source }) => (source.buildAttempt ?? 0) === buildAttempt)
    const added = new Map<Leg, Part[]>()
    const first: Leg[] = []
    for (const part of current) {
      const repeated = findRepeatedLegs(legs, part.source)
      if (repeated.length === 0) first.push({ parts: [part], status: part.status, isFlaky: part.isFlaky })
      for (const leg of repeated) added.set(leg, [...(added.get(leg) ?? []), part])
    }
    for (const [leg, again] of added) extendLeg(leg, again)
    legs.push(...first)
  }
  return legs
}

/** Adds the parts of one build attempt, which together decide unless they skipped the test. */
function extendLeg(leg: Leg, again: readonly Part[]): void {
  const hadFailed = leg.parts.some(({ status, isFlaky }) => hasFailed(status) || isFlaky)
  const worst = findWorst(again)
  leg.parts.push(...again)
  if (worst === undefined || worst.status === 'skipped') return
  leg.status = worst.status
  leg.isFlaky = worst.status === 'passed' && (hadFailed || again.some(({ isFlaky }) => isFlaky))
}

/**
 * Returns the legs of earlier build attempts that a source ran again, never those of siblings: those of the same instance; else
 * those of the same label, if that names one instance; else those that failed; else all.
 */
function findRepeatedLegs(legs: readonly Leg[], source: Source): readonly Leg[] {
  const others = legs.filter((leg) => leg.parts.some((part) => !areSiblings(part.source, source)))
  const sameInstance = others.filter((leg) => leg.parts.some((part) => isSameInstance(part.source, source)))
  if (sameInstance.length > 0) return preferSameReport(sameInstance, source)
  const sameLabel = others.filter((leg) => leg.parts.some((part) => part.source.label === source.label))
  const instances = new Set(sameLabel.map((leg) => leg.parts[0]?.source.instance))
  if (source.label !== '' && instances.size === 1) return preferSameReport(sameLabel, source)
  const failed = others.filter(({ status }) => hasFailed(status))
  return preferSameReport(failed.length > 0 ? failed : others, source)
}

/** The name of a runner says little: the next build attempt may give another leg of a matrix to the same runner. */
const isSameInstance = (a: Source, b: Source): boolean =>
  a.instance === b.instance && (a.label === b.label || a.label === '' || b.label === '')

/**
 * Whether two sources are different shards, variants or parallel jobs of one job. CI keeps the index of a parallel job when it
 * runs it again, and in some systems a later parallel job has a greater number than the one before it, as a rerun has.
 */
const areSiblings = (a: Source, b: Source): boolean =>
  areDifferent(a.shard, b.shard) ||
  areDifferent(a.variant, b.variant) ||
  (a.instance !== b.instance && isParallelIndex(a.instance) && isParallelIndex(b.instance))

/** Of names that can be unknown. */
const areDifferent = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b

const isParallelIndex = (instance: string): boolean => /^\d{1,4}$/.test(instance)

function preferSameReport(legs: readonly Leg[], { report }: Source): readonly Leg[] {
  const sameReport = legs.filter((leg) => leg.parts.some((part) => part.source.report === report))
  return sameReport.length > 0 ? sameReport : legs
}

/** A rerun says nothing about what was tested after it, and its failure is no news of what had failed. */
function applyRerun(legs: Leg[], rerun: Part): void {
  const repeated = legs.filter((leg) => leg.parts.every(({ testedAt }) => testedAt <= rerun.testedAt))
  if (repeated.length === 0) legs.push({ parts: [rerun], status: rerun.status, isFlaky: rerun.isFlaky })
  for (const leg of repeated) {
    const hadFailed = leg.parts.some(({ status, isFlaky }) => hasFailed(status) || isFlaky)
    leg.parts.push(rerun)
    if (rerun.status === 'passed') {
      leg.status = 'passed'
      leg.isFlaky = hadFailed || rerun.isFlaky
    } else if (leg.status === 'skipped' || (leg.status === 'passed' && !leg.parts.some(isPassedRerun))) {
      leg.status = rerun.status === 'skipped' ? leg.status : rerun.status
    }
  }
}

const isPassedRerun = ({ source, status }: Part): boolean => source.isRerun && status === 'passed'
