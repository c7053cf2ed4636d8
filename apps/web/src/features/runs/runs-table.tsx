import { type ReactNode, useMemo } from 'react'
import { useNavigate } from 'react-router'

import { paths } from '../../paths.ts'
import type { Selection } from '../../ui/table/selection.ts'
import { Table } from '../../ui/table/table.tsx'
import { createRunsColumns } from './runs-columns.tsx'
import type { Sort } from '../../ui/table/columns.ts'
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
  const hasErrors = rows.some(({ run }) => run.test_stats.errors > 0)
  const columns = useMemo(() => createRunsColumns(hasErrors), [hasErrors])
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
        if (inNewTab) window.open(paths.run(run.id), '_blank', 'noopener')
        else void navigate(paths.run(run.id))
      }}
      empty={empty}
    />
  )
}
