import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { useMay } from '../../use-may.ts'
import { SettingsTabs } from '../settings/settings-tabs.tsx'
import { AuditLog } from './audit-log.tsx'
import styles from './audit.module.css'

/** `/projects/:projectId/settings/audit`: who changed members, tokens and settings of a project, and deleted something in it. */
export function ProjectAuditPage() {
  const { projectId = '' } = useParams()
  const projects = useQuery(queries.projects())
  const mayRead = useMay(projectId)('project:settings')
  const project = projects.data?.find(({ id }) => id === projectId)
  return (
    <main className={styles.page}>
      <title>
        {['Audit log', 'Settings', project?.name, 'Caseward'].filter((part) => part !== undefined).join(' · ')}
      </title>
      {mayRead ? (
        <>
          <h1 className={styles.heading}>Settings</h1>
          <div className={styles.tabs}>
            <SettingsTabs projectId={projectId} current="audit" />
          </div>
          <AuditLog key={projectId} projectId={projectId} />
        </>
      ) : projects.data !== undefined ? (
        <NotAllowed projectId={projectId} isMember={project !== undefined} />
      ) : projects.error !== null ? (
        <ErrorMessage title="The audit log could not be loaded." onRetry={() => void projects.refetch()}>
          {describeFailure(projects.error).message}
        </ErrorMessage>
      ) : (
        <Loading label="Loading the audit log">
          <SkeletonRows count={14} />
        </Loading>
      )}
    </main>
  )
}

/** Explains to viewers and members why there is nothing to see. */
const NotAllowed = ({ projectId, isMember }: { projectId: string; isMember: boolean }) => (
  <EmptyState
    drawing="lost"
    headingLevel={1}
    title={isMember ? 'Only admins of the project see its audit log' : 'Project not found'}
    actions={
      <ButtonLink
        to={isMember ? paths.members(projectId) : paths.projects({ all: true })}
        size="form"
        variant="primary"
      >
        {isMember ? 'See who is an admin' : 'Go to your projects'}
      </ButtonLink>
    }
  >
    {isMember
      ? 'Ask one of them what you want to know, or for the role of an admin.'
      : 'This project does not exist, or you are not a member of it.'}
  </EmptyState>
)
