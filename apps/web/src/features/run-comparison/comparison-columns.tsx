import type { ComparedItem, RunChange } from '@caseward/client/endpoints'

import { formatMilliseconds } from '../../times.ts'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { type Status, statuses } from '../../ui/status/statuses.ts'
import type { Column } from '../../ui/table/columns.ts'
import { TestPath } from '../tests/test-path.tsx'
import { attemptGlyphs } from '../tests/test-words.ts'
import styles from './compare.module.css'

export type ComparedRow = ComparedItem

/** What the app calls each change. */
export const changeNames: Readonly<Record<RunChange, string>> = {
  newly_failing: 'Newly failing',
  still_failing: 'Still failing',
  fixed: 'Fixed',
  new: 'New',
  missing: 'Missing',
  newly_tested: 'Newly tested',
  no_longer_tested: 'No longer tested',
  slower: 'Slower',
  same: 'Same',
}

export const getRowId = ({ test_id: testId, base, head }: ComparedRow): string =>
  testId ?? (head ?? base)?.result_id ?? ''
export const getRowLabel = ({ title }: ComparedRow): string => title

/** The columns of a comparison of test cases: what each side said. */
const caseColumns: readonly Column<ComparedRow>[] = [
  {
    id: 'head',
    head: 'Status',
    isHeadHidden: true,
    width: 14,
    isLeading: true,
    render: ({ head, base }) => <Glyph status={(head ?? base)?.status ?? ''} />,
  },
  {
    id: 'id',
    head: 'ID',
    width: 84,
    hiddenBelow: 620,
    render: ({ test_case_id: id }) => <span className={styles.muted}>{id ?? 'Deleted'}</span>,
  },
  {
    id: 'title',
    head: 'Title',
    render: ({ title, suite, variant }) => <TestPath test={{ suite, name: title, file: '', variant }} />,
  },
  {
    id: 'change',
    head: 'Change',
    width: 150,
    render: ({ change, is_same_failure: isSame }) => (
      <span className={styles.muted}>{isSame ? 'Same failure' : changeNames[change]}</span>
    ),
  },
  {
    id: 'before',
    head: 'Older run',
    width: 240,
    hiddenBelow: 860,
    render: ({ base, change }) => <Side side={base} isTimed={change === 'slower'} />,
  },
  {
    id: 'after',
    head: 'Newer run',
    width: 240,
    hiddenBelow: 740,
    render: ({ head, change }) => <Side side={head} isTimed={change === 'slower'} />,
  },
]

/** Tests have no id that a reader knows. */
export const comparisonColumns = {
  test_cases: caseColumns,
  tests: caseColumns.filter(({ id }) => id !== 'id'),
}

const sideStyle = { display: 'flex', gap: 6, alignItems: 'center', minWidth: 0, maxWidth: '100%' } as const

interface SideProps {
  side: ComparedItem['base']
  isTimed: boolean
}

function Side({ side, isTimed }: SideProps) {
  if (side === null) return null
  const text = isTimed && side.elapsed_ms !== null ? formatMilliseconds(side.elapsed_ms) : side.note_line
  return (
    <span style={sideStyle} title={text ?? undefined}>
      <Glyph status={side.status} />
      <span className={styles.muted}>{text}</span>
    </span>
  )
}

/** Of results and of tests. */
const glyphs: ReadonlyMap<string, Status> = new Map([
  ...statuses.map((status) => [status, status] as const),
  ...Object.entries(attemptGlyphs),
])

const Glyph = ({ status }: { status: string }) => <StatusGlyph status={glyphs.get(status) ?? 'not_tested'} />
