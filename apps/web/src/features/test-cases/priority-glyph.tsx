import type { Priority } from '@caseward/client/endpoints'

import { priorityNames } from './case-words.ts'
import styles from './priority-glyph.module.css'

/** Bars that are filled, of four. */
const levels: Readonly<Record<Priority, number>> = { critical: 4, high: 3, medium: 2, low: 1 }

const bars = [1, 2, 3, 4].map((bar) => `M${bar * 3.25 - 2.75} 12v${bar * -2.5}h2v${bar * 2.5}z`)

/** A priority as four rising bars. It has the name of the priority, unless that stands beside it. */
export const PriorityGlyph = ({ priority, isNamed = true }: { priority: Priority; isNamed?: boolean }) => (
  <svg
    className={priority === 'critical' ? styles.critical : styles.glyph}
    viewBox="0 0 14 14"
    width={14}
    height={14}
    {...(isNamed ? { role: 'img', 'aria-label': priorityNames[priority] } : { 'aria-hidden': true })}
  >
    <path d={bars.slice(0, levels[priority]).join('')} />
    <path className={styles.empty} d={bars.slice(levels[priority]).join('')} />
  </svg>
)
