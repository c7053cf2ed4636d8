import { useMemo } from 'react'

import { useRecentResults } from '../../history/use-recent-results.ts'
import { HistoryStrip } from '../../ui/status/history-strip.tsx'
import { statusNames } from '../../ui/status/statuses.ts'
import styles from './case-editor.module.css'

/** The latest results of a test case, under its title. Nothing if there is none. */
export function CaseStrip({ projectId, caseId }: { projectId: string; caseId: string }) {
  const ids = useMemo(() => [caseId], [caseId])
  const results = useRecentResults(projectId, ids).get(caseId)
  const last = results?.find(({ status }) => status !== 'not_tested') ?? results?.[0]
  if (results === undefined || last === undefined) return null
  return (
    <p className={styles.strip}>
      <HistoryStrip statuses={results.map(({ status }) => status).toReversed()} />
      {statusNames[last.status]} in {last.run_name}
    </p>
  )
}
