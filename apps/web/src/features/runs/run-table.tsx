import { useNavigate } from 'react-router'
import { useCallback, useMemo } from 'react'

import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Table } from '../../ui/table/table.tsx'
import { createRunColumns } from './run-columns.tsx'
import { FolderHead } from './folder-head.tsx'
import type { RunRow } from './run-rows.ts'
import styles from './run.module.css'
import type { RunData } from './use-run-data.ts'
import type { RunSelection } from './use-run-selection.ts'
import type { RunView } from './use-run-view.ts'

const getId = ({ id }: RunRow) => id
const getLabel = (item: RunRow) => (item.kind === 'folder' ? item.path.join(' › ') : item.row.test_case_title)
const getCaseId = (item: RunRow) => (item.kind === 'result' ? item.row.test_case_id : null)

/** The results, grouped by folder. */
export function RunTable({ data, view, selection }: { data: RunData; view: RunView; selection: RunSelection }) {
  const { histories, tableRows, search, change, toggleFolder, setVisibleIds } = view
  const navigate = useNavigate()
  const { getPerson, stored } = data
  const hasAssignees = useMemo(() => stored.some(({ assigned_to: id }) => id !== null), [stored])
  const hasDefects = useMemo(() => stored.some(({ defect }) => defect !== null), [stored])
  const columns = useMemo(
    () => createRunColumns({ histories, getPerson, hasAssignees, hasDefects }),
    [histories, getPerson, hasAssignees, hasDefects],
  )
  const selectedIds = selection.canAssign ? selection.selection : null
  const renderWide = useCallback(
    (item: RunRow) =>
      item.kind === 'folder' ? (
        <FolderHead item={item} isSelected={selectedIds === null ? null : selectedIds.has(item.id)} />
      ) : null,
    [selectedIds],
  )
  const onVisible = useCallback(
    (items: readonly RunRow[]) => setVisibleIds(items.flatMap((item) => getCaseId(item) ?? [])),
    [setVisibleIds],
  )
  const runId = data.run.data?.id ?? ''
  const open = useCallback(
    (item: RunRow, inNewTab: boolean) => {
      if (item.kind === 'folder') toggleFolder(item.id)
      else if (inNewTab) window.open(paths.run(runId, { result: item.id }), '_blank', 'noopener')
      else change({ result: item.id, combination: null }, 'push')
    },
    [toggleFolder, change, runId],
  )
  return (
    <div className={styles.table}>
      <Table
        name="run"
        label="Results"
        columns={columns}
        rows={tableRows}
        getId={getId}
        getLabel={getLabel}
        sort={view.order}
        onSort={view.changeOrder}
        openId={search.result}
        onOpen={open}
        onVisible={onVisible}
        onActivate={selection.activate}
        renderWide={renderWide}
        {...(selection.canAssign ? { selection: selection.selection, onSelect: selection.select } : {})}
        empty={
          view.hasFilter ? (
            <EmptyState
              drawing="search"
              title="No result matches"
              help="running-tests"
              actions={<Button onClick={view.clear}>Clear the filter</Button>}
            />
          ) : (
            <EmptyState
              drawing="cases"
              title="This run has no test cases"
              help="running-tests"
              actions={
                data.may('runs:open-and-close') && data.projectId !== undefined ? (
                  <Button onClick={() => void navigate(paths.newRun(data.projectId ?? ''))}>New run</Button>
                ) : undefined
              }
            >
              CI adds results to it, or start another run with test cases.
            </EmptyState>
          )
        }
      />
    </div>
  )
}
