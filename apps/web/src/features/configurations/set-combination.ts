import type { Combination, ResultRow, ResultStatus } from '@caseward/client/endpoints'
import { rollUpSteps } from '@caseward/matching/roll-up-steps'

import { getEntryId, type ResultWrite } from '../../outbox/outbox-entry.ts'
import { statusNames } from '../../ui/status/statuses.ts'
import { undoStack } from '../../undo/use-undo.ts'
import { removeUndoIfRefused } from '../execution/set-result.ts'
import type { Execution } from '../execution/use-execution.ts'

/** What is known of a combination. */
export type ShownCombination = Pick<
  Combination,
  'place' | 'name' | 'status' | 'assigned_to' | 'tested_by' | 'tested_at'
> & {
  /** Undefined until it is read. */
  readonly note: string | null | undefined
}

interface CombinationChange {
  /** All combinations of the result, as the user sees them. */
  readonly all: readonly ShownCombination[]
  /** The one of them that is set. */
  readonly combination: ShownCombination
  readonly status: ResultStatus
  /** Undefined keeps it. */
  readonly note: string | null | undefined
  /** `tested_at` of the combination that the user has seen. */
  readonly base: string | null
}

/** Sets one combination of a result. It is stored in this browser before this returns, and can be undone. */
export function setCombination(
  { runId, data: { outbox }, open, shownVersion }: Pick<Execution, 'runId' | 'data' | 'open' | 'shownVersion'>,
  row: ResultRow,
  { all, combination: { place, name, status: before, note: noteBefore }, status, note, base }: CombinationChange,
): void {
  const toWrite = (value: ResultStatus, text: string | null | undefined): ResultWrite => {
    const combinations = all.map((one) => (one.place === place ? value : one.status))
    return {
      runId,
      resultId: row.id,
      place,
      testCaseId: row.test_case_id,
      title: `${row.test_case_title} (${name})`,
      status: value,
      note: text,
      combinations,
      resultStatus: rollUpSteps(combinations),
      base,
    }
  }
  const inverse = toWrite(before, note === undefined ? undefined : noteBefore)
  outbox.write({ ...toWrite(status, note), caseVersion: shownVersion })
  const label = `${row.test_case_id ?? row.test_case_title}, ${name}`
  const undoId = undoStack.push({
    words: before === status ? `${label}: saved` : `${label}: ${statusNames[status].toLowerCase()}`,
    undo: () => {
      outbox.write(inverse)
      open(row.id)
    },
  })
  removeUndoIfRefused(outbox, [getEntryId(inverse)], undoId)
}
