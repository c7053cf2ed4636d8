import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import { lineageQuery } from './rerun-queries.ts'
import styles from './reruns.module.css'

/** Which rerun a run is, with the way to the chain. Nothing for runs without reruns. */
export function ChainLine({ runId }: { runId: string }) {
  const { data: lineage } = useQuery(lineageQuery(runId))
  if (lineage === undefined || lineage.runs.length < 2) return null
  const number = lineage.runs.find(({ id }) => id === runId)?.rerun_number ?? null
  const count = lineage.runs.length - 1
  return (
    <Link className={styles.chain} to={paths.together(runId)}>
      {number === null ? formatNumberOf(count, 'rerun') : `Rerun ${number}`} · Together
    </Link>
  )
}
