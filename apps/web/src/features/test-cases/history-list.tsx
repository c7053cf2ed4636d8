import { isWebAddress } from '@caseward/matching/web-address'
import type { HistoryItem } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { formatDuration } from '../../times.ts'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { statusNames } from '../../ui/status/statuses.ts'
import { Time } from '../../ui/time.tsx'
import styles from './case-history.module.css'

interface HistoryListProps {
  projectId: string
  caseId: string
  results: readonly HistoryItem[]
}

/** Results of a test case in several runs, the newest run first. */
export function HistoryList({ projectId, caseId, results }: HistoryListProps) {
  const people = useQuery(queries.people(projectId))
  const names = new Map(people.data?.map(({ id, name }) => [id, name]))
  return (
    <ul className={styles.list} aria-label="Results">
      {results.map((result) => (
        <li key={result.id} className={styles.result}>
          <StatusGlyph status={result.status} />
          <div className={styles.text}>
            <Link className={styles.run} to={paths.run(result.run_id, { result: result.id })} title={result.run_name}>
              {result.run_name}
            </Link>
            {result.note !== null && (
              <p className={styles.note} title={result.note.slice(0, MAX_TITLE)}>
                {result.note.split('\n', 1)[0]}
              </p>
            )}
            <Build result={result} />
          </div>
          <span className={styles.detail}>
            {/* It was merged into this one. */}
            {result.test_case_id !== caseId && `${result.test_case_id} · `}
            {result.tested_by !== null && `${names.get(result.tested_by) ?? 'Former member'} · `}
            {result.elapsed !== null && `${formatDuration(result.elapsed)} · `}
            {result.tested_at === null ? statusNames[result.status] : <Time at={result.tested_at} isInText />}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Characters of a note that a tooltip shows. */
const MAX_TITLE = 1000
const SHORT_HASH = 7

/** Where the run of a result came from, as far as CI has said it. */
function Build({ result: { branch, commit, build_url: url, rerun_of } }: { result: HistoryItem }) {
  const source = [rerun_of === null ? null : 'Rerun', branch, commit?.slice(0, SHORT_HASH)].filter(Boolean).join(' · ')
  const hasBuild = url !== null && isWebAddress(url)
  if (source === '' && !hasBuild) return null
  return (
    <p className={styles.usage}>
      {source !== '' && (
        <span className={styles.note} title={source}>
          {source}
        </span>
      )}
      {hasBuild && (
        <a className={styles.buildLink} href={url} target="_blank" rel="noreferrer">
          Build
        </a>
      )}
    </p>
  )
}
