import { listTestCaseRows, type TestCaseRow } from '@caseward/client/endpoints'
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import ArchiveRestore from 'lucide-react/icons/archive-restore'
import Trash2 from 'lucide-react/icons/trash-2'
import { useMemo, useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import { api, queries } from '../../api.ts'
import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { BulkBar } from '../../ui/bulk-bar.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { PagedList } from '../../ui/paged-list.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import type { Column } from '../../ui/table/columns.ts'
import type { Selection } from '../../ui/table/selection.ts'
import { Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useHiddenIds } from '../../undo/use-undo.ts'
import { cursorPages, useCursorPages } from '../../use-cursor-pages.ts'
import { useMay } from '../../use-may.ts'
import { priorityNames } from './case-words.ts'
import styles from './cases.module.css'
import { countResults, MAX_DELAYED } from './delete-cases.ts'
import { DeleteCasesDialog } from './delete-cases-dialog.tsx'
import { PriorityGlyph } from './priority-glyph.tsx'
import { useCaseActions } from './use-case-actions.ts'

/** A change of any test case has lists with this key read again. */
const archivedQuery = (project_id: string, search: string) =>
  infiniteQueryOptions({
    ...cursorPages,
    queryKey: [...queryKeys.inProject(project_id), 'searched-cases', 'archived', search],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        fields: 'row',
        archived: 'true',
        per_page: 200,
        ...(search === '' ? {} : { search }),
        ...(pageParam === null ? {} : { after: pageParam }),
      } as const
      return (await request(api, listTestCaseRows, { params: { project_id }, query, signal })).data
    },
  })

/** `/projects/:projectId/cases/archived`: test cases that are in no other list. */
export function ArchivedCasesPage() {
  const { projectId = '' } = useParams()
  return <ArchivedCases key={projectId} projectId={projectId} />
}

function ArchivedCases({ projectId }: { projectId: string }) {
  useLive({ projectId })
  const navigate = useNavigate()
  const project = useQuery(queries.project(projectId))
  const mayEdit = useMay(projectId)('test-cases:edit')
  const actions = useCaseActions(projectId)
  const [text, setText] = useState('')
  const [selection, setSelection] = useState<Selection>(new Set())
  const [deletion, setDeletion] = useState<{ ids: readonly string[]; resultCount: number | null } | null>(null)
  const search = text.trim()
  const found = useInfiniteQuery({ ...archivedQuery(projectId, search), placeholderData: keepPreviousData })
  const list = useCursorPages(found)
  const hiddenIds = useHiddenIds()
  const rows = useMemo(() => list.rows.filter(({ id }) => !hiddenIds.has(id)), [list.rows, hiddenIds])
  const ids = rows.filter(({ id }) => selection.has(id)).map(({ id }) => id)
  const remove = (removed: readonly string[]) => {
    setSelection(new Set())
    actions.remove(removed)
  }
  const askToDelete = async () => {
    const resultCount = await countResults(projectId, ids)
    if (resultCount === 0 && ids.length <= MAX_DELAYED) remove(ids)
    else setDeletion({ ids, resultCount })
  }
  const total = found.data?.pages.at(-1)?.meta.total
  return (
    <main className={styles.page}>
      <title>{formatPageTitle('Archived test cases', project.data?.name)}</title>
      <div className={styles.list}>
        <div className={styles.toolBar}>
          <ButtonLink to={paths.cases(projectId)}>All cases</ButtonLink>
          <h1>Archived test cases</h1>
          <div role="search" className={styles.search}>
            <SearchField label="Search archived test cases" value={text} onChange={setText} />
          </div>
        </div>
        <div className={styles.table}>
          <PagedList list={list} noun="archived test cases">
            <Table
              name="archived-cases"
              label="Archived test cases"
              columns={columns}
              rows={rows}
              {...(total === undefined ? {} : { total: Math.max(total, rows.length) })}
              getId={({ id }) => id}
              getLabel={({ id, title }) => `${id} ${title}`}
              onOpen={({ id }, inNewTab) => {
                const path = paths.case(projectId, id)
                if (inNewTab) window.open(path, '_blank', 'noopener')
                else void navigate(path)
              }}
              onReachEnd={list.loadMore}
              {...(mayEdit ? { selection, onSelect: setSelection } : {})}
              empty={<NoRows isSearch={search !== ''} />}
            />
          </PagedList>
        </div>
        {ids.length > 0 && (
          <BulkBar count={ids.length} onClear={() => setSelection(new Set())}>
            <Button
              icon={<ArchiveRestore />}
              onClick={() => {
                setSelection(new Set())
                void actions.archive(ids, false)
              }}
            >
              Restore
            </Button>
            <Button variant="danger" icon={<Trash2 />} onClick={() => void askToDelete()}>
              Delete
            </Button>
          </BulkBar>
        )}
      </div>
      {deletion !== null && (
        <DeleteCasesDialog {...deletion} onDelete={() => remove(deletion.ids)} onClose={() => setDeletion(null)} />
      )}
    </main>
  )
}

const NoRows = ({ isSearch }: { isSearch: boolean }) =>
  isSearch ? (
    <EmptyState drawing="search" title="No archived test case matches" help="writing-test-cases" />
  ) : (
    <EmptyState drawing="cases" title="No test case is archived" help="writing-test-cases">
      Archive what is no longer tested: it leaves the lists and new runs, and keeps its results.
    </EmptyState>
  )

const columns: readonly Column<TestCaseRow>[] = [
  { id: 'id', head: 'ID', width: 76, render: ({ id }) => <span className={styles.id}>{id}</span> },
  { id: 'title', head: 'Title', render: ({ title }) => <span title={title}>{title}</span> },
  {
    id: 'glyph',
    head: 'Priority as bars',
    isHeadHidden: true,
    width: 14,
    render: ({ priority }) => <PriorityGlyph priority={priority} />,
  },
  { id: 'priority', head: 'Priority', width: 60, hiddenBelow: 620, render: ({ priority }) => priorityNames[priority] },
  {
    id: 'archived',
    head: 'Archived',
    width: 72,
    align: 'end',
    render: ({ archived_at: at }) =>
      typeof at === 'string' && (
        <span className={styles.muted}>
          <Time at={at} />
        </span>
      ),
  },
]
