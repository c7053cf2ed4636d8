import type { ReactNode } from 'react'

import { keys } from '../../keys.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import styles from '../../ui/form-page.module.css'
import { formatPath } from '../tests/split-path.ts'
import type { IssueSubject } from '../issues/new-issue-dialog.tsx'
import type { NewIssues } from '../issues/use-new-issue.tsx'
import type { TestVerdict } from './failure-queries.ts'
import type { Quarantining } from './use-quarantining.tsx'

interface QuarantinableItemProps {
  test: TestVerdict
  quarantining: Quarantining | null
  newIssues: NewIssues
  children: ReactNode
}

/** An entry of a list of tests that can be selected and quarantined, unless nothing is there to excuse. */
export function QuarantinableItem({ test, quarantining, newIssues, children }: QuarantinableItemProps) {
  const named = { id: test.id, name: formatPath(test) }
  const isDone = quarantining?.doneIds.has(test.id) === true
  const canQuarantine = !isDone && test.quarantine === null && test.verdict !== 'fixed' && test.verdict !== 'missing'
  const subject: IssueSubject | null =
    test.signature === null ? null : { signature: test.signature, test: { ...named, caseIds: test.test_case_ids } }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- follows the focus of what is in it
    <li
      style={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: 8,
        alignItems: 'start',
        padding: '6px 12px',
        borderBlockStart: '1px solid var(--line)',
      }}
      onFocus={() => {
        if (canQuarantine) quarantining?.activate(named)
        if (subject !== null) newIssues.activate(subject)
      }}
    >
      {quarantining !== null &&
        (canQuarantine ? (
          <Checkbox
            label={`Select ${named.name}`}
            isLabelHidden
            checked={quarantining.selected.has(test.id)}
            onChange={(isSelected) => quarantining.select(named, isSelected)}
          />
        ) : (
          <span style={{ width: 24 }} />
        ))}
      <div style={{ display: 'grid', flex: '1 1 200px', gap: 2, minWidth: 0 }}>{children}</div>
      {isDone && <span className={styles.warning}>Quarantined from the next run on</span>}
      {quarantining !== null && canQuarantine && (
        <Button
          variant="quiet"
          aria-label={`Quarantine ${named.name}`}
          title={`Quarantine ${keys.quarantine.bindings[0].toUpperCase()}`}
          onClick={() => quarantining.open([named])}
        >
          Quarantine
        </Button>
      )}
      {subject !== null && (
        <Button
          variant="quiet"
          aria-label={`New issue about ${named.name}`}
          title={`New issue ${keys.newIssue.bindings[0].toUpperCase()}`}
          onClick={() => newIssues.open(subject)}
        >
          New issue
        </Button>
      )}
    </li>
  )
}
