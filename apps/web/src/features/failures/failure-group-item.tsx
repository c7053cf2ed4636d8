import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type ReactNode, useId, useState } from 'react'

import { formatNumberOf } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import { Time } from '../../ui/time.tsx'
import type { NewIssues } from '../issues/use-new-issue.tsx'
import type { FailureGroup } from './failure-queries.ts'
import type { Quarantining } from './use-quarantining.tsx'
import { VerdictList } from './verdict-list.tsx'
import { describeCounts } from './verdict-words.ts'

interface FoldedPartProps {
  title: ReactNode
  detail: ReactNode
  isOpenFirst: boolean
  children: ReactNode
}

/** A button that looks like the head of its part. */
const headStyle = {
  display: 'flex',
  gap: 8,
  alignItems: 'start',
  width: '100%',
  padding: 12,
  border: 0,
  background: 'none',
  color: 'inherit',
  textAlign: 'start',
  cursor: 'pointer',
} as const

/** A part with a heading that opens and closes it. What is in it is loaded when it is first opened. */
export function FoldedPart({ title, detail, isOpenFirst, children }: FoldedPartProps) {
  const [isOpen, setIsOpen] = useState(isOpenFirst)
  const id = useId()
  const Arrow = isOpen ? ChevronDown : ChevronRight
  return (
    <section className={styles.list} aria-labelledby={`${id}-title`} style={{ overflow: 'clip' }}>
      <h3 id={`${id}-title`} style={{ margin: 0, font: 'inherit' }}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
          style={headStyle}
        >
          <Arrow aria-hidden="true" style={{ flex: 'none', width: 16, height: 20 }} />
          <span style={{ display: 'grid', gap: 2, minWidth: 0 }}>
            <span className={styles.name} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </span>
            <span className={styles.muted} style={{ maxWidth: 'none' }}>
              {detail}
            </span>
          </span>
        </button>
      </h3>
      <div id={id} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </section>
  )
}

interface FailureGroupItemProps {
  runId: string
  group: FailureGroup
  isOpenFirst: boolean
  quarantining: Quarantining | null
  newIssues: NewIssues
}

/** Failures of a run with one cause. */
export function FailureGroupItem({ runId, group, isOpenFirst, quarantining, newIssues }: FailureGroupItemProps) {
  const { title, test_count: tests, run_count: runs, first_seen: first, verdicts } = group
  const counts = describeCounts(verdicts)
  return (
    <FoldedPart
      title={title === '' ? 'Without a message' : title}
      isOpenFirst={isOpenFirst}
      detail={
        <>
          {formatNumberOf(tests, 'test')}
          {counts !== '' && `: ${counts}`}
          {/* Causes of one test each can have the same title. */}
          {tests === 1 && ` · ${group.tests[0]?.name ?? ''}`}
          {runs > 1 && (
            <>
              {` · seen in ${formatNumberOf(runs, 'run')} since `}
              <Time at={first} isInText />
            </>
          )}
        </>
      }
    >
      <VerdictList
        runId={runId}
        filter={{ signature: group.signature }}
        showsVerdicts
        quarantining={quarantining}
        newIssues={newIssues}
      />
    </FoldedPart>
  )
}
