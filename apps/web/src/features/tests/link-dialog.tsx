import { useId, useRef, useState } from 'react'

import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatCount, formatNumberOf } from '../../ui/format-count.ts'
import { CasePicker } from './case-picker.tsx'
import { formatPath } from './split-path.ts'
import type { TestRow } from './test-row.ts'
import styles from './tests-dialogs.module.css'
import { type NotLinked, useTestActions } from './use-test-actions.ts'
import type { TestsArea } from './use-tests-area.ts'

/** Links one or many tests to one test case, and says which could not be linked. */
export function LinkDialog({ area, tests }: { area: TestsArea; tests: readonly TestRow[] }) {
  const { projectId, closeDialog, setSelection } = area
  const actions = useTestActions(projectId)
  const [caseId, setCaseId] = useState<string | null>(null)
  const [done, setDone] = useState<number | null>(null)
  const [failed, setFailed] = useState<readonly NotLinked[]>([])
  const input = useRef<HTMLInputElement>(null)
  const formId = useId()
  // Another attempt is about what failed.
  const asked = failed.length > 0 ? failed.map(({ test }) => test) : tests
  const isBusy = done !== null

  async function link(): Promise<void> {
    if (caseId === null || isBusy) return
    setDone(0)
    const notLinked = await actions.link(asked, caseId, setDone)
    setDone(null)
    setFailed(notLinked)
    if (notLinked.length > 0) return
    setSelection(new Set())
    closeDialog()
  }
  const [first] = tests
  return (
    <Dialog
      isOpen
      onClose={closeDialog}
      title={tests.length === 1 ? 'Link to a test case' : `Link ${formatNumberOf(tests.length, 'test')} to a test case`}
      description={
        tests.length === 1 && first !== undefined
          ? formatPath(first)
          : 'All of them become tests of the same test case. Its result is the worst of their outcomes.'
      }
      initialFocus={input}
      footer={
        <>
          {isBusy && tests.length > 1 && (
            <span className={styles.progress} role="status">
              {`${formatCount(done)} of ${formatCount(asked.length)}`}
            </span>
          )}
          <Button size="form" onClick={closeDialog}>
            {failed.length > 0 ? 'Close' : 'Cancel'}
          </Button>
          <Button size="form" variant="primary" type="submit" form={formId} isBusy={isBusy} disabled={caseId === null}>
            {failed.length > 0 ? 'Try again' : caseId === null ? 'Link' : `Link to ${caseId}`}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void link()
        }}
      >
        {failed.length > 0 && <Failures failed={failed} count={tests.length} />}
        <CasePicker projectId={projectId} value={caseId} onChange={setCaseId} input={input} />
      </form>
    </Dialog>
  )
}

/** The most names that fit into the dialog. */
const MAX_NAMES = 5

const Failures = ({ failed, count }: { failed: readonly NotLinked[]; count: number }) => (
  <Banner tone="error">
    <strong>{`${formatCount(failed.length)} of ${formatNumberOf(count, 'test')} not linked.`}</strong>{' '}
    {failed[0]?.message}
    <ul className={styles.failures}>
      {failed.slice(0, MAX_NAMES).map(({ test }) => (
        <li key={test.id}>{test.name}</li>
      ))}
      {failed.length > MAX_NAMES && <li>{`and ${formatCount(failed.length - MAX_NAMES)} more`}</li>}
    </ul>
  </Banner>
)
