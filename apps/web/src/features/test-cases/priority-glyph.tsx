import type { Priority } from '@caseward/client/endpoints'

import { priorityNames } from './case-words.ts'
import styles from './priority-glyph.module.css'

/** Bars that are filled, of four. */
const levels: Readonly<Record<Priority, number>> = { critical: 4, high: 3, medium: 2, low: 1 }

/** A priority as four rising bars. It has the name of the priority, unless that stands beside it. */
export const PriorityGlyph = ({ priority, isNamed = true }: { priority: Priority; isNamed?: boolean }) => (
  <svg
    className={priority === 'critical' ? styles.critical : styles.glyph}
    viewBox="0 0 14 14"
    width={14}
    height={14}
    {...(isNamed ? { role: 'img', 'aria-label': priorityNames[priority] } : { 'aria-hidden': true })}
  >
    {[1, 2, 3, 4].map((bar) => (
      <rect
        key={bar}
        className={bar > levels[priority] ? styles.empty : undefined}
        x={bar * 3.25 - 2.75}
        y={12 - bar * 2.5}
        width={2}
        height={bar * 2.5}
        rx={0.75}
      />
    ))}
  </svg>
)
