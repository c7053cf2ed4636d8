import type { MyProject } from '@caseward/client/endpoints'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'

import { queries } from './api.ts'

export interface UsedProject {
  /** Undefined until the projects are loaded, and if the user is no member. */
  readonly project: MyProject | undefined
  /** Whether the projects are loaded, and it is none of them. */
  readonly isMissing: boolean
  /** The list that it is found in: whether it is loading, or could not be loaded. */
  readonly projects: UseQueryResult<MyProject[]>
}

/** Finds a project among those of the user, which every page has loaded: it takes no request of its own. */
export function useProject(projectId: string | undefined): UsedProject {
  const projects = useQuery(queries.projects())
  const project = projects.data?.find(({ id }) => id === projectId)
  return { project, isMissing: projects.data !== undefined && project === undefined, projects }
}
