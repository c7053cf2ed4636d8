import { LRUCache } from 'lru-cache'

import type { Database } from '../platform/database/connect.ts'
import { isUuid } from '../platform/http/ids.ts'

/** A project as every request in it needs it. Neither field ever changes. */
export interface ProjectPlace {
  id: string
  prefix: string
}

/** A run and the project that it lies in. Neither ever changes. */
export interface RunPlace {
  id: string
  project: ProjectPlace
}

const REMEMBERED = 50_000

export interface Places {
  project(id: string): Promise<ProjectPlace | null>
  run(id: string): Promise<RunPlace | null>
  /** Asks the database itself. */
  isStillThere(project: ProjectPlace): Promise<boolean>
  /** Forgets a project that was deleted, and its runs. */
  forgetProject(id: string): void
}

/**
 * Which project a run lies in and what its prefix is: asked on every request, and never changing. What is remembered
 * of a project or run that another server has deleted since is harmless: the statements that follow find nothing, and
 * so does whoever is about to say 403; both answer 404.
 */
export function createPlaces(db: Database): Places {
  const projects = new LRUCache<string, ProjectPlace>({ max: REMEMBERED })
  const runs = new LRUCache<string, RunPlace>({ max: REMEMBERED })
  return {
    async project(id) {
      const known = projects.get(id)
      if (known !== undefined) return known
      if (!isUuid(id)) return null
      const found = await db.selectFrom('projects').select(['id', 'prefix']).where('id', '=', id).executeTakeFirst()
      if (found === undefined) return null
      projects.set(id, found)
      return found
    },
    async run(id) {
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
    async isStillThere({ id }) {
      const found = await db.selectFrom('projects').select('id').where('id', '=', id).executeTakeFirst()
      return found !== undefined
    },
    forgetProject(id) {
      projects.delete(id)
      for (const [runId, { project }] of runs) if (project.id === id) runs.delete(runId)
    },
  }
}
