import type { Run } from '@caseward/client/endpoints'

import { paths } from '../../paths.ts'

/** How the keys of runs begin that are started in the app. */
export const APP_KEY = 'app-'

/** The state of links that lead to the results of a run, also if it opens on its failures. */
export const SHOWS_RESULTS = { shows: 'results' }

/** Whether CI has started a run, and not somebody in the app. */
export const isFromCi = (run: Pick<Run, 'run_key' | 'created_by'>): boolean =>
  run.created_by === null || (run.run_key !== null && !run.run_key.startsWith(APP_KEY))

/** Whether a run ends without tests of the rest: cases that CI skips. */
export const isOverInCi = (run: Pick<Run, 'run_key' | 'created_by' | 'status'>): boolean =>
  run.status === 'completed' && isFromCi(run)

/** Returns the page with which a run opens: a run of CI with failed tests opens on its failures. */
export function getRunStart(run: Pick<Run, 'id' | 'run_key' | 'created_by' | 'test_stats'>): string {
  return isFromCi(run) && hasFailedTests(run) ? paths.runFailures(run.id) : paths.run(run.id)
}

/** Whether automated tests failed. */
export const hasFailedTests = ({ test_stats: { failed } }: Pick<Run, 'test_stats'>): boolean => failed > 0
