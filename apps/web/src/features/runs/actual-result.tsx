import { Markdown } from '../../ui/markdown.tsx'
import styles from './actual-result.module.css'
import { LongText } from './long-text.tsx'

/** What happened at a step instead of what was expected. */
export const ActualResult = ({ text }: { text: string }) => (
  <div className={styles.actual}>
    <span className={styles.label}>Actual</span>
    <LongText text={text} render={(part) => <Markdown text={part} />} />
  </div>
)
