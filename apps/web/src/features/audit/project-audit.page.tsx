import type { MyProject } from '@caseward/client/endpoints'
import { useParams } from 'react-router'

import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { PageHeading } from '../../ui/page-heading.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { useProject } from '../../use-project.ts'
import { NotFoundPage } from '../not-found/not-found.page.tsx'
import { SettingsTabs } from '../settings/settings-tabs.tsx'
import { AuditLog } from './audit-log.tsx'
import styles from './audit.module.css'

/** `/projects/:projectId/settings/audit`: who changed members, tokens and settings of a project, and deleted something in it. */
export function ProjectAuditPage() {
  const { projectId = '' } = useParams()
  const {
    project,
    isMissing,
    projects: { error, refetch },
  } = useProject(projectId)
  if (isMissing) return <NotFoundPage />
  return (
    <main className={styles.page}>
      <title>{formatPageTitle('Audit log', 'Settings', project?.name)}</title>
      {project !== undefined && <ProjectAudit key={projectId} project={project} />}
      {project === undefined && error !== null && (
        <ErrorMessage title="The audit log could not be loaded." onRetry={() => void refetch()}>
          {describeFailure(error).message}
        </ErrorMessage>
      )}
      {project === undefined && error === null && (
        <Loading label="Loading the audit log">
          <SkeletonRows count={14} />
        </Loading>
      )}
    </main>
  )
}

function ProjectAudit({ project: { id, permissions } }: { project: MyProject }) {
  // A role that changes meanwhile opens or closes the page.
  useLive({ projectId: id })
  if (permissions.includes('project:settings')) {
    return (
      <>
        <PageHeading className={styles.heading} title="Settings" help="roles" />
        <div className={styles.tabs}>
          <SettingsTabs projectId={id} current="audit" />
        </div>
        <AuditLog projectId={id} />
      </>
    )
  }
  return (
    <EmptyState
      drawing="lost"
      headingLevel={1}
      title="Only admins of the project see its audit log"
      help="roles"
      actions={
        <ButtonLink to={paths.members(id)} size="form" variant="primary">
          See who is an admin
        </ButtonLink>
      }
    >
      Ask one of them what you want to know, or for the role of an admin.
    </EmptyState>
  )
}
