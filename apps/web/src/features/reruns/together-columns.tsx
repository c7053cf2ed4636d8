import type { CombinedResult, LineageRun } from '@caseward/client/endpoints'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { HistoryStrip } from '../../ui/status/history-strip.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import type { Column } from '../../ui/table/columns.ts'
import styles from './together.module.css'

export type CombinedRow = CombinedResult

/** More runs than this are not told apart in a row. */
const MAX_PLACES = 10

/** The columns of a chain: what each test case did in its runs, the newest at the right. */
export function togetherColumns(runs: readonly LineageRun[]): readonly Column<CombinedRow>[] {
  const names = new Map(runs.map(({ id, name }) => [id, name]))
  const places = Math.min(Math.max(runs.length, 2), MAX_PLACES)
  return [
    {
      id: 'status',
      head: 'Status',
      isHeadHidden: true,
      width: 14,
      isLeading: true,
      render: ({ status }) => <StatusGlyph status={status} />,
    },
    {
      id: 'id',
      head: 'ID',
      width: 84,
      render: ({ test_case_id: id }) => <span className={styles.muted}>{id ?? 'Deleted'}</span>,
    },
    {
      id: 'title',
      head: 'Title',
      render: ({ test_case_title: title }) => <span title={title}>{title}</span>,
    },
    {
      id: 'runs',
      head: 'Runs',
      width: 84,
      hiddenBelow: 620,
      render: ({ statuses }) => <HistoryStrip statuses={statuses.map(({ status }) => status)} places={places} />,
    },
    {
      id: 'note',
      head: 'Note',
      width: 260,
      hiddenBelow: 860,
      render: ({ note_line: note }) => (
        <span className={styles.muted} title={note ?? undefined}>
          {note}
        </span>
      ),
    },
    {
      id: 'run',
      head: 'Tested in',
      width: 200,
      render: ({ id, run_id: runId, status }) =>
        status === 'not_tested' ? null : (
          <Link
            className={styles.run}
            to={paths.run(runId, { result: id })}
            tabIndex={-1}
            title={names.get(runId) ?? undefined}
          >
            {names.get(runId)}
          </Link>
        ),
    },
  ]
}
