import type { ProjectPermission } from '@caseward/client/endpoints'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'

import { useLive } from '../../live/use-live.ts'
import type { HelpPageName } from '../../paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { useMay } from '../../use-may.ts'
import { useProject } from '../../use-project.ts'

interface AdminPageProps {
  title: string
  permission: ProjectPermission
  /** What those read who may not see it. */
  refusal: string
  help: HelpPageName
  className?: string | undefined
  children: (projectId: string) => ReactNode
}

/** A page beside the members that only admins of the project see. */
export function AdminPage({ title, permission, refusal, help, className, children }: AdminPageProps) {
  const { projectId = '' } = useParams()
  const { project, isMissing } = useProject(projectId)
  const may = useMay(projectId)
  useLive({ projectId })
  return (
    <main className={className}>
      <title>{formatPageTitle(title, project?.name)}</title>
      {isMissing || (project !== undefined && !may(permission)) ? (
        <EmptyState drawing="lost" headingLevel={1} title={refusal} help={help} />
      ) : (
        children(projectId)
      )}
    </main>
  )
}
