import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import styles from '../../ui/form-page.module.css'
import { Time } from '../../ui/time.tsx'
import { QuarantineScope } from '../quarantines/quarantine-facts.tsx'
import type { Quarantine } from '../quarantines/quarantine-queries.ts'
import { formatPath } from '../tests/split-path.ts'
import { TestPath } from '../tests/test-path.tsx'

/** The test of an entry, in words. */
export const nameTest = ({ test }: Pick<Quarantine, 'test'>): string =>
  test === null ? 'A deleted test' : formatPath(test)

interface QuarantineItemProps {
  projectId: string
  entry: Quarantine
  mayManage: boolean
  onChange: () => void
  onEnd: () => void
}

/** One quarantine: its test, why, who ends it, where it holds, and until when. */
export function QuarantineItem({ projectId, entry, mayManage, onChange, onEnd }: QuarantineItemProps) {
  const { test, is_active: isActive } = entry
  return (
    <li className={styles.item} style={{ flexWrap: 'wrap' }}>
      <div className={styles.text} style={{ flexBasis: 300 }}>
        {test === null ? (
          <span className={styles.name}>{nameTest(entry)}</span>
        ) : (
          <Link
            className={styles.name}
            to={paths.tests(projectId, { test: entry.test_id })}
            style={{ display: 'flex', minWidth: 0 }}
          >
            <TestPath test={test} />
          </Link>
        )}
        <p style={{ overflowWrap: 'anywhere', font: 'var(--text-13)' }}>{entry.reason}</p>
        <p className={styles.muted} style={{ maxWidth: 'none' }}>
          <QuarantineScope quarantine={entry} />
          {' · since '}
          <Time at={entry.created_at} isInText />
          {' · '}
          {isActive ? (
            <>
              ends <Time at={entry.expires_at} isInText />
            </>
          ) : (
            <Ended entry={entry} />
          )}
        </p>
        {isActive && test?.stability === 'stable' && <p className={styles.done}>The test is stable: it can return.</p>}
      </div>
      {mayManage && isActive && (
        <div className={styles.buttons}>
          <Button aria-label={`Change or extend the quarantine of ${nameTest(entry)}`} onClick={onChange}>
            Change or extend
          </Button>
          <Button aria-label={`End the quarantine of ${nameTest(entry)}`} onClick={onEnd}>
            End
          </Button>
        </div>
      )}
    </li>
  )
}

const Ended = ({ entry: { ended_at: at, ended_by: by, end_reason: reason } }: { entry: Quarantine }) => (
  <>
    {by === null ? 'ended by itself ' : 'ended '}
    {at !== null && <Time at={at} isInText />}
    {reason !== null && `: ${reason}`}
  </>
)
