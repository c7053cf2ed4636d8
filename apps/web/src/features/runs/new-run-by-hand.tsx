import { useDeferredValue, useMemo, useRef, useState } from 'react'

import type { TestCaseRow } from '@caseward/client/endpoints'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { formatWholeNumber } from '../../ui/format-count.ts'
import type { Column } from '../../ui/table/columns.ts'
import { type Selection, toggle } from '../../ui/table/selection.ts'
import { Table } from '../../ui/table/table.tsx'
import { useKeys } from '../../use-keys.ts'
import { buildFolderPath } from './folder-paths.ts'
import { filterCases } from './new-run-cases.ts'
import styles from './new-run.module.css'
import { noFilter } from '../test-cases/case-view.ts'
import type { NewRun } from './use-new-run.ts'

const getId = ({ id }: TestCaseRow) => id
const getLabel = ({ title }: TestCaseRow) => title

/** Chooses single test cases. What is chosen stays while the search shows others. */
export function NewRunByHand({ newRun: { choice, change, ordered, folders } }: { newRun: NewRun }) {
  const [search, setSearch] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const settled = useDeferredValue(search)
  const selection: Selection = useMemo(() => new Set(choice.ids), [choice.ids])
  const rows = useMemo(
    () => (settled.trim() === '' ? ordered : filterCases(ordered, folders, { ...noFilter, q: settled })),
    [ordered, folders, settled],
  )
  const columns = useMemo((): Column<TestCaseRow>[] => {
    const paths = new Map(
      folders.map(({ id }) => [
        id,
        buildFolderPath(id, folders)
          .map(({ name }) => name)
          .join(' › '),
      ]),
    )
    return [
      { id: 'id', head: 'ID', width: 76, render: ({ id }) => <span className={styles.id}>{id}</span> },
      { id: 'title', head: 'Title', render: ({ title }) => <span title={title}>{title}</span> },
      {
        id: 'folder',
        head: 'Folder',
        width: 180,
        hiddenBelow: 620,
        render: ({ folder_id }) => (
          <span className={styles.muted} title={paths.get(folder_id ?? '')}>
            {paths.get(folder_id ?? '')}
          </span>
        ),
      },
    ]
  }, [folders])
  const select = (next: Selection) => change({ ids: [...next] })
  useKeys({ search: () => field.current?.focus() })
  return (
    <>
      <div className={styles.filters}>
        <TextField
          ref={field}
          label="Search test cases"
          isLabelHidden
          type="search"
          placeholder="Search"
          maxLength={255}
          className={styles.search}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <span className={styles.muted} role="status">
          {formatWholeNumber(selection.size)} chosen
        </span>
        {selection.size > 0 && (
          <Button variant="quiet" onClick={() => change({ ids: [] })}>
            Clear
          </Button>
        )}
      </div>
      <div className={styles.table}>
        <Table
          name="new-run"
          label="Test cases"
          columns={columns}
          rows={rows}
          getId={getId}
          getLabel={getLabel}
          selection={selection}
          onSelect={select}
          // There is nothing to open here: a click and Enter choose.
          onOpen={({ id }) => select(toggle(selection, id))}
          empty={
            <EmptyState
              drawing="search"
              title="No test case matches"
              help="running-tests"
              actions={<Button onClick={() => setSearch('')}>Clear the search</Button>}
            />
          }
        />
      </div>
    </>
  )
}
