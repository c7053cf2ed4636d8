import type { ResultRow } from '@caseward/client/endpoints'
import TextCursorInput from 'lucide-react/icons/text-cursor-input'
import TriangleAlert from 'lucide-react/icons/triangle-alert'

import { HistoryStrip } from '../../ui/status/history-strip.tsx'
import { readStatusLetters } from '../configurations/read-status-letters.ts'
import styles from './step-mark.module.css'

/** Whether a result has passed although one of its steps has failed. */
export const hasFailedStep = ({ status, step_state }: Pick<ResultRow, 'status' | 'step_state'>): boolean =>
  status === 'passed' && step_state === 'failed'

/** Whether a result lacks a custom field that its status needs. */
export const lacksFields = ({ lacks_fields: lacks }: ResultRow): boolean => lacks === true

/** Marks a result that lacks a custom field that its status needs. Nothing for others. */
export const FieldMark = ({ row }: { row: ResultRow }) =>
  lacksFields(row) ? (
    <span className={styles.mark} style={{ color: 'var(--muted)' }}>
      <TextCursorInput role="img" aria-label="A field is missing" />
    </span>
  ) : null

/** The statuses of the combinations of a result, in their order. Nothing for a result without any. */
export const CombinationStrip = ({
  row: { combination_statuses: statuses, more_combinations: more },
}: {
  row: ResultRow
}) =>
  statuses === undefined ? null : (
    <span title={more === undefined ? undefined : `And ${more} more`}>
      <HistoryStrip statuses={readStatusLetters(statuses)} places={statuses.length} label="Combinations" />
    </span>
  )

/** Marks a result that has passed although one of its steps has failed. Nothing for others. */
export const StepMark = ({ row, isInText = false }: { row: ResultRow; isInText?: boolean }) =>
  hasFailedStep(row) ? (
    <span className={styles.mark}>
      <TriangleAlert {...(isInText ? { 'aria-hidden': true } : { role: 'img', 'aria-label': 'A step failed' })} />
      {isInText && 'A step failed'}
    </span>
  ) : null
