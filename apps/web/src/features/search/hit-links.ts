import type { SearchHit } from '@caseward/client/endpoints'

import { paths } from '../../paths.ts'

/** The headings of hits, in the order of lists. */
export const hitKinds = {
  test_case: 'Test cases',
  run: 'Runs',
  milestone: 'Milestones',
  project: 'Projects',
} as const satisfies Record<SearchHit['kind'], string>

const statusWords: Readonly<Record<string, string>> = {
  in_progress: 'In progress',
  completed: 'Completed',
  active: 'Active',
  archived: 'Archived',
}

/** Where a hit leads. */
export function getHitPath({ kind, id, project_id: projectId }: SearchHit): string {
  switch (kind) {
    case 'test_case':
      return paths.case(projectId, id)
    case 'run':
      return paths.run(id)
    case 'milestone':
      return paths.milestone(projectId, id)
    case 'project':
      return paths.project(projectId)
  }
}

/**
 * What stands beside the title: the id of a test case or the prefix of a project, and the status and the project of the
 * others, unless it is the one that is open.
 */
export function describeHit(hit: SearchHit, projectNames: ReadonlyMap<string, string>, openProjectId?: string): string {
  const name = hit.project_id === openProjectId ? undefined : projectNames.get(hit.project_id)
  const own = hit.kind === 'test_case' ? hit.id : (statusWords[hit.detail ?? ''] ?? hit.detail)
  return [own, hit.kind === 'project' ? undefined : name].filter(Boolean).join(' · ')
}
