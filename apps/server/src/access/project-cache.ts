import { LRUCache } from 'lru-cache'

import type { Database } from '../platform/database/connect.ts'
import { isUuid } from '../platform/http/ids.ts'

/** A project as every request in it needs it. Neither field ever changes. */
export interface ProjectRef {
  id: string
  prefix: string
}

/** A run and the project that it lies in. Neither ever changes. */
export interface RunRef {
  id: string
  project: ProjectRef
}

const CACHE_SIZE = 50_000

export interface ProjectCache {
  findProject(id: string): Promise<ProjectRef | null>
  findRun(id: string): Promise<RunRef | null>
  /** Asks the database itself. */
  projectExists(project: ProjectRef): Promise<boolean>
  /** Forgets a project that was deleted, and its runs. */
  evictProject(id: string): void
}

/**
 * Which project a run lies in and what its prefix is: asked on every request, and never changing. What is remembered
 * of a project or run that another server has deleted since is harmless: the statements that follow find nothing, and
 * so does whoever is about to say 403; both answer 404.
 */
export function createProjectCache(db: Database): ProjectCache {
  const projects = new LRUCache<string, ProjectRef>({ max: CACHE_SIZE })
  const runs = new LRUCache<string, RunRef>({ max: CACHE_SIZE })
  return {
    async findProject(id) {
      const known = projects.get(id)
      if (known !== undefined) return known
      if (!isUuid(id)) return null
      const found = await db.selectFrom('projects').select(['id', 'prefix']).where('id', '=', id).executeTakeFirst()
      if (found === undefined) return null
      projects.set(id, found)
      return found
    },
    async findRun(id) {
      const known = runs.get(id)
      if (known !== undefined) return known
      if (!isUuid(id)) return null
      const found = await db
        .selectFrom('runs')
        .innerJoin('projects', 'projects.id', 'runs.project_id')
        .select(['runs.id', 'projects.id as project_id', 'projects.prefix'])
        .where('runs.id', '=', id)
        .executeTakeFirst()
      if (found === undefined) return null
      const place = { id: found.id, project: { id: found.project_id, prefix: found.prefix } }
      runs.set(id, place)
      return place
    },
    async projectExists({ id }) {
      const found = await db.selectFrom('projects').select('id').where('id', '=', id).executeTakeFirst()
      return found !== undefined
    },
    evictProject(id) {
      projects.delete(id)
      for (const [runId, { project }] of runs) if (project.id === id) runs.delete(runId)
    },
  }
}
