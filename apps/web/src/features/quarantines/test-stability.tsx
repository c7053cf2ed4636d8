import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { keys } from '../../keys.ts'
import { describeFailure } from '../../problems.ts'
import type { May } from '../../rights.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import { useKeys } from '../../use-keys.ts'
import { TestVerdictSentence } from '../failures/test-verdict-sentence.tsx'
import { TestIssue } from '../issues/test-issue.tsx'
import { FlakeEvents } from './flake-events.tsx'
import { LazyEndQuarantineDialog, LazyQuarantineDialog } from './lazy-dialogs.tsx'
import { QuarantineFacts } from './quarantine-facts.tsx'
import type { QuarantinedTest } from './quarantine-dialog.tsx'
import { quarantinesQuery, stabilityQuery } from './quarantine-queries.ts'
import { StabilitySentence } from './stability-sentence.tsx'

interface TestStabilityProps {
  projectId: string
  /** The run of the page; null if the page is about the project. */
  runId: string | null
  test: QuarantinedTest
  may: May
}

/** How reliable a test is and why, what its failure in a run means, and its quarantine. */
export function TestStability({ projectId, runId, test, may }: TestStabilityProps) {
  const { data: stability, error, refetch } = useQuery(stabilityQuery(projectId, test.id))
  if (stability === undefined) {
    if (error === null) return null
    return (
      <ErrorMessage title="How reliable the test is could not be loaded." onRetry={() => void refetch()}>
        {describeFailure(error, { noun: 'test' }).message}
      </ErrorMessage>
    )
  }
  const { events } = stability
  return (
    <section aria-label="Stability" style={{ display: 'grid', gap: 8, minWidth: 0, font: 'var(--text-13)' }}>
      {runId !== null && <TestVerdictSentence runId={runId} testId={test.id} />}
      <StabilitySentence testId={test.id} stability={stability} />
      {events.length > 0 && (
        <details>
          <summary style={{ minHeight: 24, cursor: 'pointer' }}>
            {formatNumberOf(events.length, 'flake')}
            {events.length >= MAX_EVENTS && ' or more'}
          </summary>
          <FlakeEvents projectId={projectId} testId={test.id} events={events} />
        </details>
      )}
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 12, alignItems: 'end' }}>
        <TestQuarantine
          projectId={projectId}
          test={test}
          isQuarantined={stability.quarantine !== null}
          mayManage={may('quarantine:manage')}
        />
        {runId !== null && <TestIssue projectId={projectId} runId={runId} test={test} />}
      </div>
    </section>
  )
}

/** The server returns so many. */
const MAX_EVENTS = 100

interface TestQuarantineProps {
  projectId: string
  test: QuarantinedTest
  isQuarantined: boolean
  mayManage: boolean
}

/** The entry of a test that is in effect, or the button that adds one. */
function TestQuarantine({ projectId, test, isQuarantined, mayManage }: TestQuarantineProps) {
  const entries = useInfiniteQuery({
    ...quarantinesQuery(projectId, { active: true, test_id: test.id }),
    enabled: isQuarantined,
  })
  const entry = isQuarantined ? entries.data?.pages[0]?.data[0] : undefined
  const [dialog, setDialog] = useState<'add' | 'change' | 'end' | null>(null)
  const close = () => setDialog(null)
  useKeys(mayManage && !isQuarantined ? { quarantine: () => setDialog('add') } : {})
  return (
    <>
      {entry !== undefined && <QuarantineFacts quarantine={entry} />}
      {mayManage && (
        <div className={styles.buttons}>
          {entry === undefined && !isQuarantined && (
            <Button shortcut={keys.quarantine.bindings[0]} onClick={() => setDialog('add')}>
              Quarantine
            </Button>
          )}
          {entry !== undefined && (
            <>
              <Button onClick={() => setDialog('change')}>Change the quarantine</Button>
              <Button onClick={() => setDialog('end')}>End it</Button>
            </>
          )}
        </div>
      )}
      {dialog === 'add' && <LazyQuarantineDialog projectId={projectId} tests={[test]} onClose={close} />}
      {dialog === 'change' && entry !== undefined && (
        <LazyQuarantineDialog projectId={projectId} tests={[test]} entry={entry} onClose={close} />
      )}
      {dialog === 'end' && entry !== undefined && (
        <LazyEndQuarantineDialog projectId={projectId} quarantineId={entry.id} testName={test.name} onClose={close} />
      )}
    </>
  )
}
