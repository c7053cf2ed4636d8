import type { ResultDetail } from '@caseward/client/endpoints'
import { useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import conflictStyles from '../test-cases/case-conflict.module.css'
import { diffSteps } from './diff-steps.ts'
import { VersionDiff } from './version-diff.tsx'

interface ChangedNoticeProps {
  detail: ResultDetail
  /** Whether the text of today is shown. */
  isNew: boolean
  /** Shows the other text; missing where there is nothing to test. */
  onToggle: (() => void) | undefined
}

/** Says that the test case has changed since it was tested, and what. */
export function ChangedNotice({ detail, isNew, onToggle }: ChangedNoticeProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { test_case: current, tested_case: tested, case_version: version, is_pinned: isPinned } = detail
  if (current === null) return null
  const name = `${isPinned === true ? 'version' : 'about version'} ${version}`
  if (tested === null || tested === undefined) {
    return <p className={conflictStyles.hint}>{`This was tested against ${name}, whose text is no longer kept.`}</p>
  }
  return (
    <section className={conflictStyles.version} aria-label="Changed since it was tested">
      <div className={conflictStyles.head}>
        <p className={conflictStyles.text}>
          {isNew && isPinned === true
            ? `This is the new text. The result is that of ${name}.`
            : `${isPinned === true ? 'Changed since you began' : `Changed since ${name}`}: ${summarize(tested, current)}`}
        </p>
        <div className={conflictStyles.actions}>
          <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Hide changes' : 'Show changes'}
          </Button>
          {onToggle !== undefined && isPinned === true && (
            <Button onClick={onToggle}>{isNew ? 'Back to the tested text' : 'Test the new text'}</Button>
          )}
        </div>
      </div>
      {isOpen && (
        <div style={{ display: 'grid', gap: 12, marginBlockStart: 12 }}>
          <VersionDiff before={tested} after={current} />
        </div>
      )}
    </section>
  )
}

type Text = Pick<NonNullable<ResultDetail['test_case']>, 'title' | 'precondition' | 'steps' | 'expected_result'>

/** What differs, as words: "2 steps, title". */
function summarize(before: Text, after: Text): string {
  const steps = diffSteps(before.steps, after.steps).filter(({ kind }) => kind !== 'unchanged').length
  return [
    steps === 0 ? '' : formatNumberOf(steps, 'step'),
    before.title === after.title ? '' : 'title',
    before.precondition === after.precondition ? '' : 'precondition',
    before.expected_result === after.expected_result ? '' : 'expected result',
  ]
    .filter((part) => part !== '')
    .join(', ')
}
