import { useParams } from 'react-router'

import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { lazySection } from '../../ui/lazy-section.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { useMay } from '../../use-may.ts'
import { useProject } from '../../use-project.ts'
import { ImportSteps } from './import-steps.tsx'
import styles from './import.module.css'

const ImportsPage = lazySection(async () => (await import('../imports/imports-page.tsx')).ImportsPage)

/** `/projects/:projectId/cases/import`: creates and updates test cases from a file. Below it are imports from other tools. */
export function ImportPage() {
  const { projectId = '', importId } = useParams()
  return importId === undefined ? (
    <CaseImportPage projectId={projectId} />
  ) : (
    <ImportsPage projectId={projectId} importId={importId} />
  )
}

function CaseImportPage({ projectId }: { projectId: string }) {
  useLive({ projectId })
  const {
    project,
    isMissing,
    projects: { error, refetch },
  } = useProject(projectId)
  const may = useMay(projectId)
  const title = formatPageTitle('Import test cases', project?.name)
  return (
    <main className={styles.page}>
      <title>{title}</title>
      {project === undefined && !isMissing && error === null && (
        <Loading label="Loading the page for imports">
          <SkeletonRows count={8} />
        </Loading>
      )}
      {project === undefined && !isMissing && error !== null && (
        <ImportFailure error={error} onRetry={() => void refetch()} />
      )}
      {isMissing && (
        <ErrorMessage title="Project not found">It does not exist, or you are not a member of it.</ErrorMessage>
      )}
      {project !== undefined &&
        (may('test-cases:edit') ? (
          <ImportSteps key={projectId} projectId={projectId} />
        ) : (
          <div className={styles.empty}>
            <EmptyState
              drawing="cases"
              headingLevel={1}
              title="You can view this project, but not import test cases"
              help="roles"
              actions={<ButtonLink to={paths.cases(projectId)}>Test cases of the project</ButtonLink>}
            >
              An admin of the project can make you a member, who can.
            </EmptyState>
          </div>
        ))}
    </main>
  )
}

function ImportFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { message, canRetry, requestId } = describeFailure(error, { noun: 'project' })
  return (
    <ErrorMessage
      title="The page could not be loaded."
      {...(requestId === null ? {} : { requestId })}
      {...(canRetry ? { onRetry } : {})}
    >
      {message}
    </ErrorMessage>
  )
}
