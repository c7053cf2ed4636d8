import { useEffect } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { ProgressLine } from '../../ui/progress-line.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { SidePanel, Split } from '../../ui/split.tsx'
import { useNarrow } from '../../use-narrow.ts'
import { TestTable } from './test-table.tsx'
import { TestsBulkBar } from './tests-bulk-bar.tsx'
import { TestsToolBar } from './tests-tool-bar.tsx'
import styles from './tests.module.css'
import type { TestsArea as Area } from './use-tests-area.ts'

// What opens later is not part of the first load.
const TestPanel = lazyPart(async () => (await import('./test-panel.tsx')).TestPanel)
const TestsDialogs = lazyPart(async () => (await import('./tests-dialogs.tsx')).TestsDialogs, { isDialog: true })

/** The list of tests, the open test beside it, and what can be done with selected ones. */
export function TestsArea({ area }: { area: Area }) {
  const isNarrow = useNarrow()
  const { list, openId } = area
  useEffect(() => {
    if (list.isLoading) return
    TestPanel.preload()
    TestsDialogs.preload()
  }, [list.isLoading])
  const panel = openId === null ? null : <TestPanel key={openId} area={area} testId={openId} />
  return (
    <>
      {isNarrow ? (
        (panel ?? <TestList area={area} />)
      ) : (
        <Split className={styles.split}>
          <div className={styles.main}>
            <TestList area={area} />
          </div>
          {panel !== null && (
            <SidePanel name="test" label="Test" side="end" defaultWidth={480} minWidth={320} maxWidth={800}>
              {panel}
            </SidePanel>
          )}
        </Split>
      )}
      {area.dialog !== null && <TestsDialogs area={area} dialog={area.dialog} />}
    </>
  )
}

function TestList({ area }: { area: Area }) {
  const { list, mayEdit, selected } = area
  return (
    <>
      <TestsToolBar area={area} />
      <div className={styles.list}>
        {(list.isOutdated || list.isLoadingMore) && <ProgressLine label="Loading tests" />}
        {list.moreError !== null && (
          <Banner tone="warning" actions={<Button onClick={list.retry}>Try again</Button>}>
            Not all tests could be loaded. {describeFailure(list.moreError, { noun: 'list' }).message}
          </Banner>
        )}
        {list.error !== null && <TestsFailure error={list.error} onRetry={list.retry} />}
        {list.isLoading && (
          <Loading label="Loading tests">
            <SkeletonRows count={14} />
          </Loading>
        )}
        {!list.isLoading && list.error === null && <TestTable area={area} />}
      </div>
      {mayEdit && selected.length > 0 && <TestsBulkBar area={area} />}
    </>
  )
}

function TestsFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { message, canRetry, requestId } = describeFailure(error, { noun: 'page' })
  return (
    <ErrorMessage
      title="The tests could not be loaded."
      {...(requestId === null ? {} : { requestId })}
      {...(canRetry ? { onRetry } : {})}
    >
      {message}
    </ErrorMessage>
  )
}
