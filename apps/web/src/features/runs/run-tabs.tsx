import type { Run } from '@caseward/client/endpoints'

import { paths } from '../../paths.ts'
import { Count } from '../../ui/count.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import styles from './run-tabs.module.css'

/** The results of a run and its automated tests, if it has both. */
export function RunTabs({ run, current }: { run: Run; current: 'results' | 'tests' }) {
  const { total } = run.test_stats
  if (total === 0 || run.result_count === 0) return null
  return (
    <div className={styles.tabs}>
      <TabLinks
        label="Run"
        tabs={[
          {
            to: paths.run(run.id),
            label: 'Results',
            detail: <Count value={run.result_count} />,
            isCurrent: current === 'results',
          },
          {
            to: paths.runTests(run.id),
            label: 'Tests',
            detail: <Count value={total} />,
            isCurrent: current === 'tests',
          },
        ]}
      />
    </div>
  )
}
