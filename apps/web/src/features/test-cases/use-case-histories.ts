import type { RecentResult, TestCaseRow } from '@caseward/client/endpoints'
import { useCallback, useEffect, useRef, useState } from 'react'

import { useRecentResults } from '../../history/use-recent-results.ts'

/** Rows that are passed while scrolling are not asked for, and do not render the page again. */
const SETTLED_MS = 120

/**
 * Loads the latest results of the rows in sight.
 * @returns the results by test case id, newest first, and what the table calls with its rows
 */
export function useCaseHistories(
  projectId: string,
): [ReadonlyMap<string, readonly RecentResult[]>, (rows: readonly TestCaseRow[]) => void] {
  const [ids, setIds] = useState<readonly string[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = useCallback((rows: readonly TestCaseRow[]) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const next = rows.map(({ id }) => id)
      setIds((known) => (known.join() === next.join() ? known : next))
    }, SETTLED_MS)
  }, [])
  return [useRecentResults(projectId, ids), show]
}
