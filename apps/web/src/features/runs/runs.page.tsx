import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'

import { keys } from '../../keys.ts'
import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { RUN_SORTS, searchSchemas } from '../../search-schemas.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatCount } from '../../ui/format-count.ts'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { Pagination } from '../../ui/pagination.tsx'
import { ProgressLine } from '../../ui/progress-line.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import type { Selection } from '../../ui/table/selection.ts'
import { fromSort, toSort } from '../../ui/table/columns.ts'
import { useKeys } from '../../use-keys.ts'
import { useMay } from '../../use-may.ts'
import { useSearch } from '../../use-search.ts'
import { UploadReports } from '../report-upload/upload-reports.tsx'
import { ViewsButton } from '../views/views-button.tsx'
import { RunsBulkBar } from './runs-bulk-bar.tsx'
import { RunsEmpty } from './runs-empty.tsx'
import styles from './runs.module.css'
import { RunsTable } from './runs-table.tsx'
import { RunsToolBar } from './runs-tool-bar.tsx'
import { RUNS_PER_PAGE, type RunsView, useRunsList } from './use-runs-list.ts'

/** `/projects/:projectId/runs`: the runs of a project. */
export function RunsPage() {
  const { projectId = '' } = useParams()
  return <ProjectRuns key={projectId} projectId={projectId} />
}

function ProjectRuns({ projectId }: { projectId: string }) {
  const [view, change] = useSearch(searchSchemas.runs)
  const list = useRunsList(projectId, view)
  useLive({ projectId })
  const may = useMay(projectId)
  const navigate = useNavigate()
  const [selection, setSelection] = useState<Selection>(new Set())
  const mayChange = may('runs:open-and-close')
  const mayUpload = mayChange && may('runs:execute')
  const [isUploading, setIsUploading] = useState(false)
  useKeys(mayChange ? { create: () => void navigate(paths.newRun(projectId)) } : {})
  const filter = (changes: Partial<RunsView>) => change(changes, 'replace')
  const selected = list.rows.flatMap(({ run }) => (selection.has(run.id) ? [run] : []))
  const title = formatPageTitle('Runs', list.project?.name)
  return (
    <main className={styles.page}>
      <title>{title}</title>
      <header className={styles.header}>
        <h1>Runs</h1>
        <div className={styles.headerEnd}>
          <ViewsButton projectId={projectId} page="runs" />
          {mayChange && (
            <ButtonLink
              variant="primary"
              icon={<Plus />}
              shortcut={keys.create.bindings[0]}
              to={paths.newRun(projectId)}
            >
              New run
            </ButtonLink>
          )}
        </div>
      </header>
      <RunsToolBar view={view} milestones={list.milestones} onChange={filter}>
        {mayUpload && <Button onClick={() => setIsUploading(true)}>Upload results</Button>}
      </RunsToolBar>
      {list.openLeft > 0 && (
        <p className={styles.latest}>
          <Link to={paths.runs(projectId, { ...view, status: 'in_progress', page: 1 })}>
            {formatCount(list.openLeft)} {view.page === 1 ? 'more ' : ''}in progress
          </Link>
        </p>
      )}
      <div className={styles.list}>
        {list.isOutdated && <ProgressLine label="Loading runs" />}
        {list.error !== null && <RunsFailure error={list.error} onRetry={list.retry} />}
        {list.isLoading && (
          <Loading label="Loading runs">
            <SkeletonRows count={14} />
          </Loading>
        )}
        {!list.isLoading && list.error === null && (
          <RunsTable
            rows={list.rows}
            selection={mayChange ? selection : undefined}
            onSelect={setSelection}
            sort={toSort(view, 'newest')}
            onSort={(sort) => filter({ ...fromSort(sort, RUN_SORTS), page: 1 })}
            empty={
              !list.isOutdated && (
                <RunsEmpty projectId={projectId} list={list} view={view} mayCreate={mayChange} onChange={filter} />
              )
            }
          />
        )}
      </div>
      {list.total > RUNS_PER_PAGE && (
        <div className={styles.pages}>
          <Pagination
            page={view.page}
            perPage={RUNS_PER_PAGE}
            total={list.total}
            buildPath={(page) => paths.runs(projectId, { ...view, page })}
          />
        </div>
      )}
      {isUploading && <UploadReports projectId={projectId} onClose={() => setIsUploading(false)} />}
      {selected.length > 0 && (
        <RunsBulkBar projectId={projectId} selected={selected} onClear={() => setSelection(new Set())} />
      )}
    </main>
  )
}

function RunsFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { kind, message, canRetry, requestId } = describeFailure(error, { noun: 'project' })
  return (
    <ErrorMessage
      title={kind === 'not-found' ? 'Project not found' : 'The runs could not be loaded.'}
      {...(requestId === null ? {} : { requestId })}
      {...(canRetry ? { onRetry } : {})}
    >
      {message}
    </ErrorMessage>
  )
}
