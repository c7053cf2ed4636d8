import { pluralize } from '@caseward/ci-run/wording'
import type { Evaluation, TestVerdict } from '@caseward/client/endpoints'

import { limitLines } from '../../limit-lines.ts'
import { toTerminalText } from '../../text.ts'
import {
  formatBase,
  formatSince,
  formatVerdictCounts,
  VERDICT_ORDER,
  VERDICT_TITLES,
} from '../../verdicts/format-verdicts.ts'
import { type EvaluatedRun, readAllVerdicts, waitForEvaluation } from '../../verdicts/read-verdicts.ts'
import { formatTestName } from '../tests/format-test.ts'

/** What the failures of a run mean. */
export interface RunVerdicts {
  readonly evaluation: Evaluation
  readonly verdicts: readonly TestVerdict[]
}

/** How long the server may take to evaluate what has come. */
const WAIT_MS = 60_000

/** @throws {CommandError} when the run is not evaluated within a minute */
export async function readRunVerdicts(run: EvaluatedRun): Promise<RunVerdicts> {
  const evaluation = await waitForEvaluation(run, { waitMs: WAIT_MS, needsShards: false })
  return { evaluation, verdicts: await readAllVerdicts(run, evaluation) }
}

/** Formats what blocks and what does not: the first 20, those that block first. */
export function formatRunVerdicts({ evaluation, verdicts }: RunVerdicts): string[] {
  const { blocking_count: blocking } = evaluation
  const counts = formatVerdictCounts(verdicts)
  const base = formatBase(evaluation)
  const rank = ({ blocks, verdict }: TestVerdict) =>
    (blocks ? 0 : VERDICT_ORDER.length) + VERDICT_ORDER.indexOf(verdict)
  const listed = verdicts.toSorted((one, other) => rank(one) - rank(other))
  return [
    [
      blocking === 0 ? 'nothing blocks' : `${pluralize(blocking, 'failure')} ${blocking === 1 ? 'blocks' : 'block'}`,
      counts,
    ]
      .filter((part) => part !== '')
      .join(': '),
    ...limitLines(listed.map(formatVerdict), 'use --json for all of them'),
    base === null ? 'compared with no other run' : `compared with ${toTerminalText(base)}`,
  ]
}

function formatVerdict(test: TestVerdict): string {
  const parts = [
    `${VERDICT_TITLES[test.verdict].toLowerCase()}${test.blocks ? ' (blocks)' : ''}: ${formatTestName(test)}`,
    toTerminalText(test.message_line ?? ''),
    toTerminalText(formatSince(test)),
  ]
  return `  ${parts.filter((part) => part !== '').join('  ')}`
}
