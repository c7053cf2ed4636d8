import type { ProjectRef } from '../../access/project-cache.ts'
import type { EventStream } from '../../platform/http/event-stream.ts'

/** A client that receives the events of a project, or of one of its runs. */
export interface Subscriber {
  /** The id of the session or token that it sent. */
  callerId: string
  /** The user, or the CI token, whose streams are counted together. */
  ownerId: string
  project: ProjectRef
  /** Null for the whole project. */
  runId: string | null
  stream: EventStream
  /** The id of the last event that was sent to it. */
  lastEventId: string
}

/** All subscribers, by project. */
export interface Subscribers {
  add(subscriber: Subscriber): void
  remove(subscriber: Subscriber): void
  /** Those of a project and of its runs. */
  listInProject(projectId: string): Iterable<Subscriber>
  /** Those who receive the events of a project. */
  listOfProject(projectId: string): Subscriber[]
  /** Those who receive the events of a run: of the run, and of its project. */
  listOfRun(projectId: string, runId: string): Subscriber[]
  listAll(): Subscriber[]
}

export function createSubscribers(): Subscribers {
  const byProject = new Map<string, Set<Subscriber>>()
  const listInProject = (projectId: string) => byProject.get(projectId) ?? new Set<Subscriber>()
  return {
    add(subscriber) {
      const { id } = subscriber.project
      byProject.set(id, (byProject.get(id) ?? new Set()).add(subscriber))
    },
    remove(subscriber) {
      const { id } = subscriber.project
      const inProject = byProject.get(id)
      inProject?.delete(subscriber)
      if (inProject?.size === 0) byProject.delete(id)
    },
    listInProject,
    listOfProject: (projectId) => [...listInProject(projectId)].filter(({ runId }) => runId === null),
    listOfRun: (projectId, id) => [...listInProject(projectId)].filter(({ runId }) => runId === null || runId === id),
    listAll: () => [...byProject.values()].flatMap((inProject) => [...inProject]),
  }
}
