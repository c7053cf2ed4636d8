import { LRUCache } from 'lru-cache'

import type { Database } from '../platform/database/connect.ts'
import { isUuid } from '../platform/http/ids.ts'

/** The fields of a project that every request in it needs. Neither ever changes. */
export interface ProjectRef {
  id: string
  prefix: string
}

/** The fields of a run that writing its results needs. None ever changes. */
export interface RunRef {
  id: string
  /** The group of runs that indexes its results; see `run-groups.ts`. */
  group: number
  project: ProjectRef
}

/** Counted as a size: what is reserved for a maximum of entries takes a fifth of building the service. */
const CACHE_LIMIT = { maxSize: 50_000, sizeCalculation: () => 1 }

export interface ProjectCache {
  /** Returns a project or run that is cached, as nearly all are. */
  getProject(id: string): ProjectRef | undefined
  getRun(id: string): RunRef | undefined
  findProject(id: string): Promise<ProjectRef | null>
  findRun(id: string): Promise<RunRef | null>
  /** Queries the database, never the cache. */
  projectExists(project: ProjectRef): Promise<boolean>
  /** Removes a deleted project and its runs. */
  evictProject(id: string): void
}

/**
 * Caches the prefix of each project and the project of each run: every request needs them and they never change. An
 * entry that another server has deleted does no harm: the statements that follow find no row, and the guard checks
 * again before it answers 403, so both answer 404.
 */
export function createProjectCache(db: Database): ProjectCache {
  const projects = new LRUCache<string, ProjectRef>(CACHE_LIMIT)
  const runs = new LRUCache<string, RunRef>(CACHE_LIMIT)
  return {
    getProject: (id) => projects.get(id),
    getRun: (id) => runs.get(id),
    async findProject(id) {
      const cached = projects.get(id)
      if (cached !== undefined) return cached
      if (!isUuid(id)) return null
      const project = await db.selectFrom('projects').select(['id', 'prefix']).where('id', '=', id).executeTakeFirst()
      if (project === undefined) return null
      projects.set(id, project)
      return project
    },
    async findRun(id) {
      const cached = runs.get(id)
      if (cached !== undefined) return cached
      if (!isUuid(id)) return null
      const row = await db
        .selectFrom('runs')
        .innerJoin('projects', 'projects.id', 'runs.project_id')
        .select(['runs.id', 'runs.run_group', 'projects.id as project_id', 'projects.prefix'])
        .where('runs.id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return null
      const run = { id: row.id, group: row.run_group, project: { id: row.project_id, prefix: row.prefix } }
      runs.set(id, run)
      return run
    },
    async projectExists({ id }) {
      const project = await db.selectFrom('projects').select('id').where('id', '=', id).executeTakeFirst()
      return project !== undefined
    },
    evictProject(id) {
      projects.delete(id)
      for (const [runId, { project }] of runs) if (project.id === id) runs.delete(runId)
    },
  }
}
