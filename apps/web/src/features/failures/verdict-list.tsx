import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import styles from '../../ui/form-page.module.css'
import { PagedList } from '../../ui/paged-list.tsx'
import { useCursorPages } from '../../use-cursor-pages.ts'
import { AttemptGlyph } from '../tests/attempt-marks.tsx'
import { TestPath } from '../tests/test-path.tsx'
import type { NewIssues } from '../issues/use-new-issue.tsx'
import { QuarantinableItem } from './quarantinable-item.tsx'
import { type TestVerdict, type VerdictFilter, verdictsQuery } from './failure-queries.ts'
import type { Quarantining } from './use-quarantining.tsx'
import { verdictWords } from './verdict-words.ts'

interface VerdictListProps {
  runId: string
  filter: VerdictFilter
  /** Whether each test says its verdict: not where all have the same. */
  showsVerdicts: boolean
  /** Null if the user may not quarantine tests. */
  quarantining: Quarantining | null
  newIssues: NewIssues
}

/** Tests of a run that did not simply pass. */
export function VerdictList({ runId, filter, showsVerdicts, quarantining, newIssues }: VerdictListProps) {
  const list = useCursorPages(useInfiniteQuery(verdictsQuery(runId, filter)))
  return (
    <PagedList list={list} noun="the tests">
      <ul style={{ margin: 0, padding: 0, listStyle: 'none' }}>
        {list.rows
          .toSorted((one, other) => Number(other.blocks) - Number(one.blocks))
          .map((test) => (
            <VerdictItem
              key={test.id}
              runId={runId}
              test={test}
              showsVerdict={showsVerdicts}
              quarantining={quarantining}
              newIssues={newIssues}
            />
          ))}
      </ul>
      {list.hasMore && (
        <div style={{ padding: '4px 12px 12px' }}>
          <Button isBusy={list.isLoadingMore} onClick={list.loadMore}>
            More tests
          </Button>
        </div>
      )}
    </PagedList>
  )
}

interface VerdictItemProps {
  runId: string
  test: TestVerdict
  showsVerdict: boolean
  quarantining: Quarantining | null
  newIssues: NewIssues
}

function VerdictItem({ runId, test, showsVerdict, quarantining, newIssues }: VerdictItemProps) {
  const { name, meaning } = verdictWords[test.verdict]
  return (
    <QuarantinableItem test={test} quarantining={quarantining} newIssues={newIssues}>
      <span style={{ display: 'flex', gap: 8, alignItems: 'center', minWidth: 0 }}>
        {test.outcome !== null && <AttemptGlyph status={test.outcome} />}
        <Link to={paths.runTests(runId, { test: test.id })} style={{ display: 'flex', flex: '1 1 auto', minWidth: 0 }}>
          <TestPath test={test} />
        </Link>
      </span>
      <span className={styles.muted} style={{ maxWidth: 'none', overflowWrap: 'anywhere' }}>
        {showsVerdict && (
          <strong title={meaning} style={{ color: test.blocks ? 'var(--failed-text)' : undefined }}>
            {name}
          </strong>
        )}
        {[test.message_line, describeAttempts(test), test.quarantine?.reason].map((text) =>
          text === null || text === undefined || text === '' ? null : <span key={text}> · {text}</span>,
        )}
        {test.since !== null && test.since.runs > 1 && (
          <>
            {' · '}
            {test.since.runs >= MAX_RUNS ? `${MAX_RUNS} runs or more` : `${test.since.runs} runs`} in a row,{' '}
            <Link to={paths.runTests(test.since.run_id, { test: test.id })}>
              since {test.since.commit?.slice(0, 7) ?? 'this one'}
            </Link>
          </>
        )}
        {test.issues.map(({ label, url }) => (
          <span key={url}>
            {' · '}
            <a href={url} target="_blank" rel="noopener noreferrer nofollow">
              {label}
            </a>
          </span>
        ))}
      </span>
    </QuarantinableItem>
  )
}

/** The server looks so many runs back. */
const MAX_RUNS = 50

const describeAttempts = ({ attempt_count: count, is_first_flake: isFirst }: TestVerdict): string =>
  isFirst ? 'flaked for the first time' : count > 1 ? `${count} attempts` : ''
