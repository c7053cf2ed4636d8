import type { ResultRow, ResultStatus, RunConfiguration } from '@caseward/client/endpoints'
import { useMemo } from 'react'

import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Matrix } from '../../ui/matrix.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { StatusGlyph, StatusWord } from '../../ui/status/status-glyph.tsx'
import { describeCounts, statusNames } from '../../ui/status/statuses.ts'
import type { Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { useNarrow } from '../../use-narrow.ts'
import { createCombinationFilter } from '../runs/search-results.ts'
import type { RunView } from '../runs/use-run-view.ts'

interface CombinationMatrixProps {
  view: RunView
  configurations: readonly RunConfiguration[]
}

/** The results of a run by configuration: a table of cells, or in narrow windows a list of combinations. */
export function CombinationMatrix({ view, configurations }: CombinationMatrixProps) {
  const { combinations } = view
  const isNarrow = useNarrow()
  if (combinations.error !== null) {
    return (
      <ErrorMessage title="The combinations could not be loaded." onRetry={combinations.refetch}>
        {combinations.error.message}
      </ErrorMessage>
    )
  }
  if (!combinations.isComplete && combinations.byResult.size === 0) {
    return (
      <Loading label="Loading combinations">
        <SkeletonRows count={8} />
      </Loading>
    )
  }
  if (view.shown.length === 0) {
    return (
      <EmptyState
        drawing="search"
        title="No result matches"
        help="running-tests"
        actions={view.hasFilter ? <Button onClick={view.clear}>Clear the filter</Button> : undefined}
      />
    )
  }
  return isNarrow ? (
    <Combinations view={view} configurations={configurations} />
  ) : (
    <Cells view={view} configurations={configurations} />
  )
}

function Cells({ view, configurations }: CombinationMatrixProps) {
  const { combinations, search, change } = view
  const columns =
    search.configuration === null
      ? configurations
      : configurations.filter(({ place }) => place === Number(search.configuration))
  const find = (row: ResultRow, { place }: RunConfiguration) => {
    const own = combinations.byResult.get(row.id)
    const index = own?.configurations.indexOf(place) ?? -1
    return own === undefined || index === -1 ? null : { status: own.statuses[index], place: own.places[index] }
  }
  return (
    <Matrix
      label="Results by configuration"
      rows={view.shown}
      columns={columns}
      getRowId={({ id }) => id}
      getColumnId={({ place }) => String(place)}
      rowHead="Test case"
      renderRowHead={(row) => (
        <>
          <StatusGlyph status={row.status} />
          {row.test_case_id !== null && (
            <span style={{ color: 'var(--muted)', whiteSpace: 'nowrap' }}>{row.test_case_id}</span>
          )}
          <span style={oneLine} title={row.test_case_title}>
            {row.test_case_title}
          </span>
        </>
      )}
      renderColumnHead={({ name, stats }) => (
        <span style={{ display: 'grid', gap: 4, width: '100%' }} title={`${name}: ${describeCounts(stats)}`}>
          <span style={twoLines}>{name}</span>
          <StatusBar counts={stats} />
        </span>
      )}
      renderCell={(row, configuration) => {
        const status = find(row, configuration)?.status
        return status === undefined ? (
          <span style={{ color: 'var(--muted)' }} role="img" aria-label="Not tested with it">
            –
          </span>
        ) : (
          <span title={`${row.test_case_id ?? row.test_case_title}, ${configuration.name}: ${statusNames[status]}`}>
            <StatusGlyph status={status} />
          </span>
        )
      }}
      openId={search.result}
      onOpen={(row, configuration) => {
        const place = configuration === null ? undefined : find(row, configuration)?.place
        change({ result: row.id, combination: place === undefined ? null : String(place) }, 'push')
      }}
    />
  )
}

interface Entry {
  readonly id: string
  readonly row: ResultRow
  readonly place: number
  readonly name: string
  readonly status: ResultStatus
}

const entryColumns: readonly Column<Entry>[] = [
  { id: 'title', head: 'Test case', render: ({ row }) => `${row.test_case_id ?? ''} ${row.test_case_title}`.trim() },
  { id: 'name', head: 'Configuration', width: 180, render: ({ name }) => name },
  { id: 'status', head: 'Status', width: 104, render: ({ status }) => <StatusWord status={status} /> },
]

/** One row for each combination that the filters show. */
function Combinations({ view, configurations }: CombinationMatrixProps) {
  const { shown, combinations, search, change } = view
  const entries = useMemo(() => {
    const names = new Map(configurations.map(({ place, name }) => [place, name]))
    const findMatching = createCombinationFilter(search)
    return shown.flatMap((row): Entry[] => {
      const own = combinations.byResult.get(row.id)
      if (own === undefined) return []
      return findMatching(own).flatMap((index) => {
        const place = own.places[index]
        const status = own.statuses[index]
        if (place === undefined || status === undefined) return []
        return [{ id: `${row.id}/${place}`, row, place, status, name: names.get(own.configurations[index] ?? 0) ?? '' }]
      })
    })
  }, [shown, combinations.byResult, configurations, search])
  return (
    <Table
      name="combinations"
      label="Results by configuration"
      columns={entryColumns}
      rows={entries}
      getId={({ id }) => id}
      getLabel={({ row, name }) => `${row.test_case_title}, ${name}`}
      onOpen={({ row, place }) => change({ result: row.id, combination: String(place) }, 'push')}
      empty={<EmptyState drawing="search" title="No combination matches" help="running-tests" />}
    />
  )
}

const oneLine = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const
const twoLines = {
  display: '-webkit-box',
  overflow: 'hidden',
  WebkitBoxOrient: 'vertical',
  WebkitLineClamp: 2,
  overflowWrap: 'anywhere',
} as const
