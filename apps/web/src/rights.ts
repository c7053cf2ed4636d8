import type { MyProject, ProjectPermission } from '@caseward/client/endpoints'

/** Whether the user may do something in a project. */
export type May = (permission: ProjectPermission) => boolean

/**
 * Returns what the user may do in a project, from `queries.projects()`. Nothing while the projects are loading, so that no
 * action appears and vanishes.
 */
export function createMay(projects: readonly MyProject[] | undefined, projectId: string | undefined): May {
  const permissions = new Set(projects?.find((project) => project.id === projectId)?.permissions)
  return (permission) => permissions.has(permission)
}
