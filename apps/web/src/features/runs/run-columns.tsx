import type { RecentResult, ResultRow } from '@caseward/client/endpoints'
import { formatDuration } from '../../times.ts'
import { HistoryStrip } from '../../ui/status/history-strip.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Tags } from '../../ui/tags.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './run.module.css'
import type { RunRow } from './run-rows.ts'
import { CombinationStrip, FieldMark, StepMark } from './step-mark.tsx'

interface ColumnsContext {
  readonly histories: ReadonlyMap<string, readonly RecentResult[]>
  readonly getPerson: (id: string | null) => string
  /** Whether any result is assigned to somebody. */
  readonly hasAssignees: boolean
  /** Whether any result has a link of kind `defect`. */
  readonly hasDefects: boolean
}

/** The columns of a run's results. */
export function createRunColumns({ histories, getPerson, hasAssignees, hasDefects }: ColumnsContext): Column<RunRow>[] {
  const column = (
    options: Omit<Column<RunRow>, 'render'>,
    render: (row: ResultRow) => React.ReactNode,
  ): Column<RunRow> => ({ ...options, render: (item) => (item.kind === 'result' ? render(item.row) : null) })
  // Beside both of these columns, a title has little room at 1440 pixels.
  const isFull = hasDefects && hasAssignees
  return [
    column({ id: 'status', head: 'Status', isHeadHidden: true, width: 14, isLeading: true }, ({ status }) => (
      <StatusGlyph status={status} />
    )),
    column({ id: 'id', head: 'ID', width: 84, isSortable: true }, ({ test_case_id }) => (
      <span className={styles.id}>{test_case_id ?? 'Deleted'}</span>
    )),
    column({ id: 'title', head: 'Title', isSortable: true }, (row) => (
      <span className={styles.titleCell} title={row.test_case_title}>
        <span className={styles.titleText}>{row.test_case_title}</span>
        <StepMark row={row} />
        <FieldMark row={row} />
        <CombinationStrip row={row} />
      </span>
    )),
    column(
      { id: 'tags', head: 'Tags', width: isFull ? 96 : 120, hiddenBelow: 1000, isLeftOutWhenNarrow: true },
      ({ tags }) => <Tags tags={tags} limit={1} />,
    ),
    column({ id: 'history', head: 'Before', width: 68, align: 'end', hiddenBelow: 620 }, ({ test_case_id }) =>
      test_case_id === null ? null : (
        <HistoryStrip
          statuses={histories
            .get(test_case_id)
            ?.map(({ status }) => status)
            .toReversed()}
        />
      ),
    ),
    column({ id: 'note', head: 'Note', width: isFull ? 150 : 220 }, ({ note_line }) => (
      <span className={styles.muted} title={note_line ?? undefined}>
        {note_line}
      </span>
    )),
    ...(hasDefects
      ? [
          column({ id: 'defect', head: 'Defect', width: 96, hiddenBelow: 860 }, ({ defect }) =>
            defect === null ? null : <span title={defect.label}>{defect.label}</span>,
          ),
        ]
      : []),
    ...(hasAssignees
      ? [
          column({ id: 'assignee', head: 'Assigned to', width: 104, hiddenBelow: 860 }, ({ assigned_to }) =>
            assigned_to === null ? null : <span title={getPerson(assigned_to)}>{getPerson(assigned_to)}</span>,
          ),
        ]
      : []),
    column(
      { id: 'elapsed', head: 'Time', isSortable: true, width: 64, align: 'end', hiddenBelow: 1000 },
      ({ elapsed }) => <span className={styles.muted}>{elapsed === null ? null : formatDuration(elapsed)}</span>,
    ),
    column({ id: 'person', head: 'By', isSortable: true, width: 96, hiddenBelow: 860 }, ({ tested_by, tested_at }) =>
      tested_at === null ? null : (
        <span className={styles.muted} title={getPerson(tested_by)}>
          {getPerson(tested_by)}
        </span>
      ),
    ),
    column({ id: 'at', head: 'Set', isSortable: true, width: 72, align: 'end', hiddenBelow: 620 }, ({ tested_at }) => (
      <span className={styles.muted}>{tested_at === null ? null : <Time at={tested_at} />}</span>
    )),
  ]
}
