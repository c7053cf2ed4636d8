import type { MyProject } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from 'react-router'

import { queries } from '../api.ts'
import { useProject } from '../use-project.ts'

/** The sections of a project, in the order of the navigation. */
export type ProjectSection = 'overview' | 'cases' | 'runs' | 'tests' | 'insight' | 'milestones' | 'members' | 'settings'

export interface ShellProject {
  /** Undefined on pages outside of projects, and until the run is loaded whose project it is. */
  readonly projectId: string | undefined
  /** Undefined until the projects are loaded, and if the user is no member. */
  readonly project: MyProject | undefined
  readonly section: ProjectSection | undefined
  /** Whether the page belongs to a project, perhaps one that is not known yet. */
  readonly isInProject: boolean
}

/** Returns the project that the page belongs to, also for pages of runs, whose URLs do not contain it. */
export function useShellProject(): ShellProject {
  const { pathname } = useLocation()
  const { projectId: idInPath, runId } = useParams()
  const run = useQuery({ ...queries.run(runId ?? ''), enabled: runId !== undefined })
  const projectId = idInPath ?? run.data?.project_id
  const { project } = useProject(projectId)
  return {
    projectId,
    project,
    section: findSection(pathname),
    isInProject: idInPath !== undefined || runId !== undefined,
  }
}

function findSection(pathname: string): ProjectSection | undefined {
  if (/^\/runs\/|^\/projects\/[^/]+\/(runs|compare)(\/|$)/.test(pathname)) return 'runs'
  if (/^\/projects\/[^/]+\/shared-steps(\/|$)/.test(pathname)) return 'cases'
  if (/^\/projects\/[^/]+\/?$/.test(pathname)) return 'overview'
  const [, section] =
    /^\/projects\/[^/]+\/(cases|tests|insight|milestones|members|settings)(?:\/|$)/.exec(pathname) ?? []
  return section as Exclude<ProjectSection, 'overview' | 'runs'> | undefined
}
