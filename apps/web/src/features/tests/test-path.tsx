import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { formatPath, formatTest, splitPath } from './split-path.ts'
import type { TestRow } from './test-row.ts'
import styles from './test-path.module.css'

/** The name of a test in one line. If there is no room, what is around it is cut from its beginning, and the title last. */
export function TestPath({ test }: { test: Pick<TestRow, 'suite' | 'name' | 'file' | 'variant'> }) {
  const { folder, parents, title } = splitPath(test)
  const full = formatPath(test)
  return (
    <span className={styles.path} title={formatTest(test)}>
      <VisuallyHidden>{full}</VisuallyHidden>
      <span className={styles.parts} aria-hidden="true">
        {parents.length > 0 && (
          <>
            <span className={styles.place}>
              <bdi dir="ltr">
                <span className={styles.folder}>{folder}</span>
                {parents.join(' › ')}
              </bdi>
            </span>
            <span className={styles.separator}>›</span>
          </>
        )}
        <span className={styles.title}>{title}</span>
      </span>
      {test.variant !== '' && <span className={styles.variant}>{test.variant}</span>}
    </span>
  )
}
