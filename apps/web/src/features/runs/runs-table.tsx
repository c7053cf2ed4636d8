import { type ReactNode, useMemo } from 'react'
import { useNavigate } from 'react-router'

import type { Selection } from '../../ui/table/selection.ts'
import { Table } from '../../ui/table/table.tsx'
import type { Sort } from '../../ui/table/columns.ts'
import { getRunStart } from './run-start.ts'
import { createRunsColumns } from './runs-columns.tsx'
import type { RunsRow } from './use-runs-list.ts'

interface RunsTableProps {
  rows: readonly RunsRow[]
  /** Missing if the user may not change runs. */
  selection: Selection | undefined
  onSelect: (selection: Selection) => void
  /** Null for the newest first. */
  sort: Sort | null
  onSort: (sort: Sort | null) => void
  empty: ReactNode
}

const getId = ({ run }: RunsRow) => run.id
const getLabel = ({ run }: RunsRow) => run.name

/** The runs of a page. */
export function RunsTable({ rows, selection, onSelect, sort, onSort, empty }: RunsTableProps) {
  const navigate = useNavigate()
  const isByDay = sort === null
  const hasMilestones = rows.some(({ milestoneName }) => milestoneName !== null)
  const hasBuilds = rows.some(({ run: { metadata } }) => (metadata['branch'] ?? metadata['commit']) !== undefined)
  const columns = useMemo(
    () => createRunsColumns({ isByDay, hasMilestones, hasBuilds }),
    [isByDay, hasMilestones, hasBuilds],
  )
  return (
    <Table
      name="runs"
      label="Runs"
      columns={columns}
      rows={rows}
      getId={getId}
      getLabel={getLabel}
      sort={sort}
      onSort={onSort}
      {...(selection === undefined ? {} : { selection, onSelect })}
      onOpen={({ run }, inNewTab) => {
        if (inNewTab) window.open(getRunStart(run), '_blank', 'noopener')
        else void navigate(getRunStart(run))
      }}
      empty={empty}
    />
  )
}
