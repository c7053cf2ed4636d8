import type { MyProject } from '@caseward/client/endpoints'

/** Finds the projects whose name or prefix contains a text, case-insensitive. */
export function searchProjects<P extends Pick<MyProject, 'name' | 'prefix'>>(
  projects: readonly P[],
  search: string,
): readonly P[] {
  const text = search.trim().toLowerCase()
  if (text === '') return projects
  return projects.filter(({ name, prefix }) => `${name}\n${prefix}`.toLowerCase().includes(text))
}
