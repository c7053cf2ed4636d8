import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { formatDuration } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatNumberOf, formatWholeNumber } from '../../ui/format-count.ts'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { HistoryStrip } from '../../ui/status/history-strip.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { statusNames } from '../../ui/status/statuses.ts'
import { Time } from '../../ui/time.tsx'
import styles from './case-history.module.css'

const PER_PAGE = 50
/** Results in the strip. */
const SHOWN = 10

/** In which runs a test case is, and how it went: the newest first. */
export function CaseHistory({ projectId, caseId }: { projectId: string; caseId: string }) {
  const [page, setPage] = useState(1)
  const results = useQuery({ ...queries.caseResults(projectId, caseId, page), placeholderData: (known) => known })
  const people = useQuery(queries.people(projectId))
  const names = new Map(people.data?.map(({ id, name }) => [id, name]))
  if (results.error !== null) {
    return (
      <ErrorMessage title="The history could not be loaded." onRetry={() => void results.refetch()}>
        {describeFailure(results.error, { noun: 'test case' }).message}
      </ErrorMessage>
    )
  }
  if (results.data === undefined) {
    return (
      <Loading label="Loading the history">
        <SkeletonRows count={5} />
      </Loading>
    )
  }
  const { data, meta } = results.data
  if (meta.total === 0) return <p className={styles.none}>No run contains this test case yet.</p>
  const pages = Math.ceil(meta.total / PER_PAGE)
  return (
    <div className={styles.history}>
      <p className={styles.usage}>
        <HistoryStrip
          statuses={data
            .map(({ status }) => status)
            .slice(0, SHOWN)
            .toReversed()}
          places={Math.min(data.length, SHOWN)}
        />
        In {formatNumberOf(meta.total, 'run')}
      </p>
      <ul className={styles.list} aria-label="Results">
        {data.map((result) => (
          <li key={result.id} className={styles.result}>
            <StatusGlyph status={result.status} />
            <div className={styles.text}>
              <Link className={styles.run} to={paths.run(result.run_id, { result: result.id })} title={result.run_name}>
                {result.run_name}
              </Link>
              {result.note !== null && <p className={styles.note}>{result.note.split('\n', 1)[0]}</p>}
            </div>
            <span className={styles.detail}>
              {result.tested_by !== null && `${names.get(result.tested_by) ?? 'Former member'} · `}
              {result.elapsed !== null && `${formatDuration(result.elapsed)} · `}
              {result.tested_at === null ? statusNames[result.status] : <Time at={result.tested_at} isInText />}
            </span>
          </li>
        ))}
      </ul>
      {pages > 1 && (
        <div className={styles.pages}>
          <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <span className={styles.detail}>
            {formatWholeNumber(page)} of {formatWholeNumber(pages)}
          </span>
          <Button disabled={page >= pages} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </div>
      )}
    </div>
  )
}
