import type { ProjectRef } from '../../access/project-cache.ts'
import type { EventStream } from '../../platform/http/event-stream.ts'

/** A client that receives the events of a project, or of one of its runs. */
export interface Subscriber {
  /** The id of the session or token that it sent. */
  callerId: string
  project: ProjectRef
  /** Null for the whole project. */
  runId: string | null
  stream: EventStream
  /** The id of the last event that was sent to it. */
  lastEventId: string
}

/** All subscribers, by what they receive. */
export interface Subscribers {
  add(subscriber: Subscriber): void
  remove(subscriber: Subscriber): void
  /** Those of a project and of its runs. */
  listInProject(projectId: string): Subscriber[]
  /** Those who receive the events of a project. */
  listOfProject(projectId: string): Subscriber[]
  /** Those who receive the events of a run: of the run, and of its project. */
  listOfRun(projectId: string, runId: string): Subscriber[]
  listAll(): Subscriber[]
  /** Returns a project that somebody receives events of, or of its runs; null if nobody does. */
  findProject(projectId: string): ProjectRef | null
  isProjectWatched(projectId: string): boolean
  isRunWatched(projectId: string, runId: string): boolean
}

export function createSubscribers(): Subscribers {
  const byProject = createGroups()
  /** By the id of the project or run. */
  const byTopic = createGroups()
  return {
    add(subscriber) {
      byProject.add(subscriber.project.id, subscriber)
      byTopic.add(subscriber.runId ?? subscriber.project.id, subscriber)
    },
    remove(subscriber) {
      byProject.remove(subscriber.project.id, subscriber)
      byTopic.remove(subscriber.runId ?? subscriber.project.id, subscriber)
    },
    listInProject: (projectId) => [...byProject.get(projectId)],
    listOfProject: (projectId) => [...byTopic.get(projectId)],
    listOfRun: (projectId, runId) => [...byTopic.get(projectId), ...byTopic.get(runId)],
    listAll: () => byProject.listAll(),
    findProject: (projectId) => byProject.get(projectId).values().next().value?.project ?? null,
    isProjectWatched: (projectId) => byTopic.get(projectId).size > 0,
    isRunWatched: (projectId, runId) => byTopic.get(projectId).size > 0 || byTopic.get(runId).size > 0,
  }
}

const NOBODY: ReadonlySet<Subscriber> = new Set()

/** Sets of subscribers by a key. Empty sets are removed. */
function createGroups() {
  const groups = new Map<string, Set<Subscriber>>()
  return {
    get: (key: string): ReadonlySet<Subscriber> => groups.get(key) ?? NOBODY,
    add(key: string, subscriber: Subscriber): void {
      groups.set(key, (groups.get(key) ?? new Set()).add(subscriber))
    },
    remove(key: string, subscriber: Subscriber): void {
      const group = groups.get(key)
      group?.delete(subscriber)
      if (group?.size === 0) groups.delete(key)
    },
    listAll: (): Subscriber[] => [...groups.values()].flatMap((group) => [...group]),
  }
}
