import { listResultChanges, type ResultChange } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { api } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { formatDuration } from '../../times.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { lazySection } from '../../ui/lazy-section.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status/status-glyph.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './earlier-values.module.css'
import { EarlierSteps } from './earlier-steps.tsx'
import { LongText } from './long-text.tsx'

const EarlierCombinations = lazySection(
  async () => (await import('../configurations/combination-list.tsx')).EarlierCombinations,
)

interface EarlierValuesProps {
  runId: string
  resultId: string
  /** The number of earlier values. */
  count: number
  getPerson: (userId: string | null) => string
}

/** What a result was before it was overwritten. Loaded when it is unfolded. */
export function EarlierValues({ count, ...props }: EarlierValuesProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className={styles.section} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>{formatNumberOf(count, 'earlier result')} in this run</summary>
      {isOpen && <Changes {...props} />}
    </details>
  )
}

function Changes({ runId, resultId, getPerson }: Omit<EarlierValuesProps, 'count'>) {
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.resultChanges(runId, resultId),
    queryFn: async ({ signal }) => {
      const params = { run_id: runId, result_id: resultId }
      return (await request(api, listResultChanges, { params, signal })).data.data
    },
  })
  if (data === undefined) {
    return error === null ? (
      <Loading label="Loading the earlier results">
        <SkeletonRows count={2} />
      </Loading>
    ) : (
      <ErrorMessage title="The earlier results could not be loaded." onRetry={() => void refetch()}>
        {describeFailure(error, { noun: 'result' }).message}
      </ErrorMessage>
    )
  }
  return (
    <ul>
      {data.map((change) => (
        <li key={`${change.replaced_at} ${change.tested_at}`} className={styles.change}>
          <Change change={change} person={getPerson(change.tested_by)} />
          {change.combinations !== undefined && (
            <EarlierCombinations runId={runId} combinations={change.combinations} />
          )}
        </li>
      ))}
    </ul>
  )
}

const Change = ({ change, person }: { change: ResultChange; person: string }) => (
  <>
    <p className={styles.facts}>
      <StatusWord status={change.status} />
      <span>
        {person}, <Time at={change.tested_at} isInText />
        {change.elapsed !== null && `, ${formatDuration(change.elapsed)}`}
      </span>
    </p>
    {change.note !== null && change.note !== '' && (
      <div className={styles.note}>
        <LongText text={change.note} render={(text) => <Markdown text={text} />} />
      </div>
    )}
    <EarlierSteps steps={change.steps} />
  </>
)
