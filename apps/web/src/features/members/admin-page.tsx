import type { ProjectPermission } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'

import { queries } from '../../api.ts'
import { useLive } from '../../live/use-live.ts'
import type { HelpPageName } from '../../paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useMay } from '../../use-may.ts'

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
  const { data: projects } = useQuery(queries.projects())
  const may = useMay(projectId)
  useLive({ projectId })
  const project = projects?.find(({ id }) => id === projectId)
  return (
    <main className={className}>
      <title>{[title, project?.name, 'Caseward'].filter((part) => part !== undefined).join(' · ')}</title>
      {projects !== undefined && !may(permission) ? (
        <EmptyState drawing="lost" headingLevel={1} title={refusal} help={help} />
      ) : (
        children(projectId)
      )}
    </main>
  )
}
