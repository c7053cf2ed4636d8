import { MAX_ATTEMPT_STEPS } from '@caseward/contract/uploaded-tests'
import type { Attempt, ReportedStep } from '@caseward/matching/attempt'

/** Most bytes of the steps of an attempt as JSON. */
const MAX_BYTES = 65_536
/** What a step takes as JSON beside its texts. */
const FIELD_BYTES = 90

/**
 * Cuts the steps of an attempt to what is kept. Steps without others inside go first, then those with some, and the way to an
 * error last; of the same kind, the deepest and then the latest. So a step is never left without those around it.
 */
export function cutSteps(steps: readonly ReportedStep[]): Pick<Attempt, 'steps' | 'hasCutSteps'> {
  const sizes = steps.map(getSize)
  if (steps.length <= MAX_ATTEMPT_STEPS && sizes.reduce((sum, size) => sum + size, 0) <= MAX_BYTES) return { steps }
  const ranks = rankSteps(steps)
  const order = [...steps.keys()].toSorted(
    (a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0) || (steps[a]?.depth ?? 0) - (steps[b]?.depth ?? 0) || a - b,
  )
  const kept = new Set<number>()
  let bytes = 0
  for (const index of order) {
    bytes += sizes[index] ?? 0
    if (kept.size === MAX_ATTEMPT_STEPS || bytes > MAX_BYTES) break
    kept.add(index)
  }
  return { steps: steps.filter((_, index) => kept.has(index)), hasCutSteps: true }
}

const getSize = ({ title, message }: ReportedStep): number =>
  Buffer.byteLength(JSON.stringify(title)) + Buffer.byteLength(JSON.stringify(message)) + FIELD_BYTES

const IS_ON_WAY_TO_ERROR = 0
const HAS_STEPS = 1
const IS_LEAF = 2

const ERROR_STATUSES: ReadonlySet<string | null> = new Set(['failed', 'blocked', 'interrupted'])

/** Ranks each step by how long it is kept. A step that others are inside of never ranks behind them. */
function rankSteps(steps: readonly ReportedStep[]): number[] {
  const ranks: number[] = steps.map(({ status }) => (ERROR_STATUSES.has(status) ? IS_ON_WAY_TO_ERROR : IS_LEAF))
  /** The best rank of the steps after the current one, by depth, until a step of a smaller depth. */
  const inside: (number | undefined)[] = []
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const depth = steps[index]?.depth ?? 0
    const deepest = inside.slice(depth + 1).filter((rank) => rank !== undefined)
    if (deepest.length > 0) {
      const isWay = deepest.includes(IS_ON_WAY_TO_ERROR)
      ranks[index] = Math.min(ranks[index] ?? IS_LEAF, isWay ? IS_ON_WAY_TO_ERROR : HAS_STEPS)
    }
    inside.length = Math.min(inside.length, depth + 1)
    inside[depth] = Math.min(inside[depth] ?? IS_LEAF, ranks[index] ?? IS_LEAF)
  }
  return ranks
}
