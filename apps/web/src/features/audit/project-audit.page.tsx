import type { MyProject } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'

import { queries } from '../../api.ts'
import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { NotFoundPage } from '../not-found/not-found.page.tsx'
import { SettingsTabs } from '../settings/settings-tabs.tsx'
import { AuditLog } from './audit-log.tsx'
import styles from './audit.module.css'

/** `/projects/:projectId/settings/audit`: who changed members, tokens and settings of a project, and deleted something in it. */
export function ProjectAuditPage() {
  const { projectId = '' } = useParams()
  const { data: projects, error, refetch } = useQuery(queries.projects())
  const project = projects?.find(({ id }) => id === projectId)
  if (projects !== undefined && project === undefined) return <NotFoundPage />
  return (
    <main className={styles.page}>
      <title>
        {['Audit log', 'Settings', project?.name, 'Caseward'].filter((part) => part !== undefined).join(' · ')}
      </title>
      {project !== undefined && <ProjectAudit key={projectId} project={project} />}
      {projects === undefined && error !== null && (
        <ErrorMessage title="The audit log could not be loaded." onRetry={() => void refetch()}>
          {describeFailure(error).message}
        </ErrorMessage>
      )}
      {projects === undefined && error === null && (
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
