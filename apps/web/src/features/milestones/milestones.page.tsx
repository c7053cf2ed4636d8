import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useMemo, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import { keys } from '../../keys.ts'
import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { MILESTONE_SORTS, searchSchemas } from '../../search-schemas.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { formatWholeNumber } from '../../ui/format-count.ts'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import type { Selection } from '../../ui/table/selection.ts'
import { fromSort, toSort } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { useHiddenIds } from '../../undo/use-undo.ts'
import { useKeys } from '../../use-keys.ts'
import { useMay } from '../../use-may.ts'
import { useProject } from '../../use-project.ts'
import { useSearch } from '../../use-search.ts'
import { milestoneColumns } from './milestone-columns.tsx'
import { milestoneListQuery } from './milestone-queries.ts'
import { buildMilestoneRows, type MilestoneRow, sortMilestoneRows } from './milestone-rows.ts'
import { MilestonesBulkBar } from './milestones-bulk-bar.tsx'
import { MilestonesDialog } from './milestones-dialog.tsx'
import { MilestonesEmpty } from './milestones-empty.tsx'
import { MilestonesFailure } from './milestones-failure.tsx'
import { MilestonesTimeline } from './milestones-timeline.tsx'
import { MilestonesToolBar } from './milestones-tool-bar.tsx'
import styles from './milestones.module.css'

/** `/projects/:projectId/milestones`: the tree of milestones of a project. */
export function MilestonesPage() {
  const { projectId = '' } = useParams()
  return <ProjectMilestones key={projectId} projectId={projectId} />
}

function ProjectMilestones({ projectId }: { projectId: string }) {
  const [view, change] = useSearch(searchSchemas.milestones)
  const list = useQuery(milestoneListQuery(projectId))
  const { project } = useProject(projectId)
  const hiddenIds = useHiddenIds()
  const navigate = useNavigate()
  const [selection, setSelection] = useState<Selection>(new Set())
  const filter = useRef<HTMLSelectElement>(null)
  const mayManage = useMay(projectId)('milestones:manage')
  const hasTimeline = !useMediaQuery('(width < 700px)')
  const isTimeline = hasTimeline && view.view === 'timeline'
  useLive({ projectId })
  const create = () => change({ new: true }, 'push')
  useKeys({ filter: () => filter.current?.focus(), ...(mayManage ? { create } : {}) })
  const columns = useMemo(() => milestoneColumns(projectId), [projectId])
  const milestones = useMemo(
    () => list.data?.milestones.filter(({ id }) => !hiddenIds.has(id)) ?? [],
    [list.data, hiddenIds],
  )
  const { sort: sortName, desc } = view
  const sort = useMemo(() => toSort({ sort: sortName, desc }, 'tree'), [sortName, desc])
  const rows = useMemo(() => {
    const tree = buildMilestoneRows(milestones, view.status)
    // The timeline is in the order of the tree.
    return sort === null || isTimeline ? tree : sortMilestoneRows(tree, sort)
  }, [milestones, view.status, sort, isTimeline])
  const selected = rows.filter(({ milestone }) => selection.has(milestone.id))
  function open({ milestone }: MilestoneRow, inNewTab: boolean): void {
    const path = paths.milestone(projectId, milestone.id)
    if (inNewTab) window.open(path, '_blank', 'noopener')
    else void navigate(path)
  }
  return (
    <main className={styles.page}>
      <title>{formatPageTitle('Milestones', project?.name)}</title>
      <header className={styles.header}>
        <h1>Milestones</h1>
        {mayManage && (
          <Button variant="primary" icon={<Plus />} shortcut={keys.create.bindings[0]} onClick={create}>
            New milestone
          </Button>
        )}
      </header>
      <MilestonesToolBar
        filter={filter}
        view={view}
        hasTimeline={hasTimeline}
        onChange={(changes) => change(changes, 'replace')}
      />
      {list.data !== undefined && list.data.total > list.data.milestones.length && (
        <Banner>{`The newest ${formatWholeNumber(list.data.milestones.length)} of ${formatWholeNumber(list.data.total)} milestones are shown.`}</Banner>
      )}
      <div className={styles.list}>
        {list.isPending && (
          <Loading label="Loading milestones">
            <SkeletonRows count={10} />
          </Loading>
        )}
        {list.data === undefined && list.error !== null && (
          <MilestonesFailure error={list.error} onRetry={() => void list.refetch()} />
        )}
        {isTimeline && rows.length > 0 && <MilestonesTimeline projectId={projectId} rows={rows} />}
        {list.data !== undefined && (!isTimeline || rows.length === 0) && (
          <Table
            name="milestones"
            label="Milestones"
            columns={columns}
            rows={rows}
            getId={getId}
            getLabel={getLabel}
            sort={sort}
            onSort={(order) => change(fromSort(order, MILESTONE_SORTS), 'replace')}
            {...(mayManage ? { selection, onSelect: setSelection } : {})}
            onOpen={open}
            empty={
              <MilestonesEmpty
                hasNone={milestones.length === 0}
                status={view.status}
                onCreate={mayManage ? create : undefined}
                onShowAll={() => change({ status: 'all' }, 'replace')}
              />
            }
          />
        )}
      </div>
      {selected.length > 0 && !isTimeline && (
        <MilestonesBulkBar
          projectId={projectId}
          selected={selected}
          onEdit={(id) => change({ edit: id }, 'push')}
          onAddSub={(id) => change({ new: true, parent: id }, 'push')}
          onClear={() => setSelection(new Set())}
        />
      )}
      {mayManage && list.data !== undefined && (
        <MilestonesDialog
          projectId={projectId}
          view={view}
          milestones={milestones}
          onClose={() => change({ new: false, parent: null, edit: null }, 'replace')}
        />
      )}
    </main>
  )
}

const getId = ({ milestone }: MilestoneRow) => milestone.id
const getLabel = ({ milestone }: MilestoneRow) => milestone.name
