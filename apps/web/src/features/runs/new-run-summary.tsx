import type { StatusCounts as Counts } from '@caseward/client/endpoints'
import { useMemo } from 'react'

import { useRecentResults } from '../../history/use-recent-results.ts'
import { formatDuration } from '../../times.ts'
import { formatNumberOf, formatWholeNumber } from '../../ui/format-count.ts'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { StatusCounts } from '../../ui/status/status-counts.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { countTested } from './count-statuses.ts'
import { countFolders, countLastOutcomes, getLastOutcome } from './new-run-cases.ts'
import type { RunSource } from './new-run-choice.ts'
import styles from './new-run.module.css'
import { describeMissing, sumEstimates } from './sum-estimates.ts'
import type { NewRun } from './use-new-run.ts'

/** The titles that are shown. */
const MAX_TITLES = 50
/** The last outcomes of more test cases would take more than five requests. */
const MAX_OUTCOMES = 1000

/** What the run will contain: the number of test cases, how they went last time, and the first titles in their order. */
export function NewRunSummary({ newRun, projectId }: { newRun: NewRun; projectId: string }) {
  const { chosen, count, isLoading } = newRun
  const sample = useMemo(() => chosen.slice(0, MAX_OUTCOMES), [chosen])
  const ids = useMemo(() => sample.map(({ id }) => id), [sample])
  const histories = useRecentResults(projectId, ids)
  const outcomes = useMemo(() => countLastOutcomes(sample, histories), [sample, histories])
  const estimate = useMemo(() => sumEstimates(chosen), [chosen])
  const folderCount = useMemo(() => countFolders(chosen), [chosen])
  return (
    <section className={styles.summary} aria-label="The run">
      <h2 aria-live="polite">{isLoading ? 'Loading test cases…' : describeCount(count, folderCount)}</h2>
      {count === 0 && !isLoading && <p>{describeNone(newRun)}</p>}
      {chosen.length > 0 && (
        <>
          {estimate !== null && (
            <p title={describeMissing(estimate.missing)}>About {formatDuration(estimate.seconds)} by the estimates.</p>
          )}
          <p>{describeOutcomes(chosen.length, outcomes)}</p>
          {outcomes !== null && countTested(outcomes) > 0 && (
            <>
              <StatusBar counts={outcomes} size="page" />
              <StatusCounts counts={outcomes} />
            </>
          )}
          <ol className={styles.titles} aria-label="First test cases">
            {chosen.slice(0, MAX_TITLES).map(({ id, title }) => {
              const outcome = getLastOutcome(histories.get(id))
              return (
                <li key={id} className={styles.title}>
                  {outcome === undefined ? <span className={styles.noOutcome} /> : <StatusGlyph status={outcome} />}
                  <span className={styles.id}>{id}</span>
                  <span className={styles.titleText} title={title}>
                    {title}
                  </span>
                </li>
              )
            })}
          </ol>
          {count > MAX_TITLES && <p>And {formatWholeNumber(count - MAX_TITLES)} more.</p>}
        </>
      )}
    </section>
  )
}

const describeCount = (count: number, folderCount: number): string =>
  folderCount === 0
    ? formatNumberOf(count, 'test case')
    : `${formatNumberOf(count, 'test case')} in ${formatNumberOf(folderCount, 'folder')}`

function describeOutcomes(count: number, outcomes: Counts | null): string {
  const subject = count <= MAX_OUTCOMES ? '' : ` of the first ${formatWholeNumber(MAX_OUTCOMES)}`
  if (outcomes === null) return 'Loading their last results…'
  return countTested(outcomes) === 0 ? `None${subject} was tested before.` : `Last results${subject}:`
}

const hints: Readonly<Record<RunSource, string>> = {
  all: 'The project has no test cases yet.',
  folders: 'Choose the folders to test.',
  filter: 'No test case matches the filter.',
  hand: 'Choose the test cases to test.',
  run: 'No test case of the run has one of these statuses.',
}

function describeNone({ choice: { source, fromRunId, statuses } }: NewRun): string {
  if (source === 'run' && fromRunId === null) return 'Choose a run.'
  if (source === 'run' && statuses.length === 0) return 'Choose at least one status.'
  return hints[source]
}
