import type { Run } from '@caseward/client/endpoints'

import { paths } from '../../paths.ts'
import { Count } from '../../ui/count.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { SHOWS_RESULTS } from './run-start.ts'
import styles from './run-tabs.module.css'

/** The results of a run, its automated tests, and what their failures mean. A run without tests needs no tabs. */
export function RunTabs({ run, current }: { run: Run; current: 'results' | 'tests' | 'failures' }) {
  const { total, errors } = run.test_stats
  if (total + errors === 0) return null
  return (
    <div className={styles.tabs}>
      <TabLinks
        label="Run"
        tabs={[
          ...(run.result_count === 0
            ? []
            : [
                {
                  to: paths.run(run.id),
                  label: 'Results',
                  detail: <Count value={run.result_count} />,
                  isCurrent: current === 'results',
                  state: SHOWS_RESULTS,
                },
              ]),
          {
            to: paths.runTests(run.id),
            label: 'Tests',
            detail: <Count value={total} />,
            isCurrent: current === 'tests',
          },
          { to: paths.runFailures(run.id), label: 'Failures', isCurrent: current === 'failures' },
        ]}
      />
    </div>
  )
}
