import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'

import { queries } from '../../api.ts'
import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { useMay } from '../../use-may.ts'
import { useProject } from '../../use-project.ts'
import { NewRunForm } from './new-run-form.tsx'
import styles from './new-run.module.css'

/** `/projects/:projectId/runs/new`: chooses test cases and starts a run of them. */
export function NewRunPage() {
  const { projectId = '' } = useParams()
  useLive({ projectId })
  const { project, projects } = useProject(projectId)
  const folders = useQuery(queries.folders(projectId))
  const may = useMay(projectId)
  const title = formatPageTitle('New run', project?.name)
  const error = projects.data === undefined ? projects.error : folders.data === undefined ? folders.error : null
  const retry = () => {
    void projects.refetch()
    void folders.refetch()
  }
  return (
    <main className={styles.page}>
      <title>{title}</title>
      {error !== null && <NewRunFailure error={error} onRetry={retry} />}
      {error === null && (projects.data === undefined || folders.data === undefined) && (
        <Loading label="Loading the page for a new run">
          <SkeletonRows count={14} />
        </Loading>
      )}
      {projects.data !== undefined &&
        folders.data !== undefined &&
        (may('runs:open-and-close') ? (
          <NewRunForm
            key={projectId}
            projectId={projectId}
            folders={folders.data}
            hasConfigurations={project?.has_configurations === true}
            hasFields={(project?.fields_version ?? 0) > 0}
          />
        ) : (
          <div className={styles.empty}>
            <EmptyState
              drawing="runs"
              headingLevel={1}
              title="You can view this project, but not start runs"
              help="roles"
              actions={<ButtonLink to={paths.runs(projectId)}>Runs of the project</ButtonLink>}
            >
              An admin of the project can make you a member, who can.
            </EmptyState>
          </div>
        ))}
    </main>
  )
}

function NewRunFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { kind, message, canRetry, requestId } = describeFailure(error, { noun: 'project' })
  return (
    <ErrorMessage
      title={kind === 'not-found' ? 'Project not found' : 'The page could not be loaded.'}
      {...(requestId === null ? {} : { requestId })}
      {...(canRetry ? { onRetry } : {})}
    >
      {message}
    </ErrorMessage>
  )
}
