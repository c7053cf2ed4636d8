import { classNames } from '../../ui/class-names.ts'
import type { MilestoneRow } from './milestone-rows.ts'
import { getPhaseWord, type PhaseWord as Word } from './milestone-words.ts'
import styles from './phase-word.module.css'

const looks: Readonly<Record<Word, string | undefined>> = {
  Upcoming: styles.upcoming,
  Started: styles.started,
  Overdue: styles.overdue,
  Completed: styles.completed,
  Archived: styles.archived,
}

/** The phase of a milestone as a word with a mark. */
export function PhaseWord({ row: { milestone, subCount } }: { row: MilestoneRow }) {
  const word = getPhaseWord(milestone)
  return (
    <span
      className={classNames(styles.phase, looks[word])}
      title={subCount === 0 ? undefined : 'Follows from its sub-milestones'}
    >
      {word}
    </span>
  )
}
