import type { TestCaseRow } from '@caseward/client/endpoints'
import { useMemo } from 'react'

import type { UnsentCase } from '../../drafts/unsent-cases.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Table } from '../../ui/table/table.tsx'
import { buildColumns, TABLE_NAME } from './case-columns.tsx'
import { fromTableSort, hasFilter, noFilter, toTableSort } from './case-view.ts'
import { useCaseDrag } from './use-case-drag.ts'
import { useCaseHistories } from './use-case-histories.ts'
import type { CasesPageState } from './use-cases-page.ts'
import { usePeople } from './use-people.ts'

interface CaseTableProps {
  page: CasesPageState
  projectId: string
  /** Test cases whose changes are not saved. */
  unsent: readonly UnsentCase[]
}

/** The rows of the cases page. */
export function CaseTable({ page, projectId, unsent }: CaseTableProps) {
  const { list, view, search, selection, actions } = page
  const [histories, onVisible] = useCaseHistories(projectId)
  const without = useMemo(() => findUnused(list.all), [list.all])
  const fields = list.shownFields
  const { getPerson } = usePeople(projectId, !without.has('owner') || fields.some(({ type }) => type === 'user'))
  const columns = useMemo(() => {
    const unsentIds = new Set(unsent.map(({ caseId }) => caseId))
    return buildColumns({ histories, unsentIds, getPerson, without, fields })
  }, [histories, unsent, getPerson, without, fields])
  const onRowMount = useCaseDrag({ list, selection, actions, isInTreeOrder: view.sort === 'tree' && !view.desc })
  const canSelect = page.mayEdit || page.mayAddToRun
  return (
    <Table
      name={TABLE_NAME}
      label="Test cases"
      columns={columns}
      rows={list.rows}
      total={list.total}
      getId={getId}
      getLabel={getLabel}
      openId={search.case}
      onOpen={page.open}
      onActivate={page.activate}
      getInitialId={page.getActiveId}
      onVisible={onVisible}
      sort={toTableSort(view)}
      onSort={(sort) => page.change(fromTableSort(sort), 'replace')}
      {...(canSelect ? { selection, onSelect: page.setSelection } : {})}
      {...(page.mayEdit ? { onRowMount } : {})}
      empty={<NoRows page={page} projectId={projectId} />}
    />
  )
}

/** The columns in which no test case has a value. */
function findUnused(rows: readonly TestCaseRow[]): ReadonlySet<'owner' | 'estimate'> {
  const unused = new Set<'owner' | 'estimate'>()
  if (!rows.some(({ owner_id: id }) => typeof id === 'string')) unused.add('owner')
  if (!rows.some(({ estimate }) => typeof estimate === 'number')) unused.add('estimate')
  return unused
}

const getId = ({ id }: TestCaseRow) => id
const getLabel = ({ id, title }: TestCaseRow) => `${id} ${title}`

function NoRows({ page, projectId }: { page: CasesPageState; projectId: string }) {
  const create = page.mayEdit && (
    <Button size="form" variant="primary" shortcut="C" onClick={page.create}>
      New case
    </Button>
  )
  if (hasFilter(page.view)) {
    return (
      <EmptyState
        drawing="search"
        title="No test case matches"
        help="writing-test-cases"
        actions={
          <Button size="form" onClick={() => page.change(noFilter, 'replace')}>
            Clear the filters
          </Button>
        }
      />
    )
  }
  if (page.view.folder !== null) {
    return (
      <EmptyState drawing="cases" title="This folder is empty" help="writing-test-cases" actions={create}>
        {page.mayEdit && 'Create a test case here, or drag some onto the folder.'}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      drawing="cases"
      title="No test cases yet"
      help="writing-test-cases"
      actions={
        page.mayEdit && (
          <>
            {create}
            <ButtonLink size="form" to={paths.imports(projectId)}>
              Import test cases
            </ButtonLink>
          </>
        )
      }
    >
      {page.mayEdit ? 'A test case says what to do and what must happen.' : 'Members of the project create them.'}
    </EmptyState>
  )
}
