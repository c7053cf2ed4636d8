import type { EvaluationEvent } from '@caseward/contract/events'
import type { FastifyBaseLogger } from 'fastify'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { formatEvent } from '../../platform/http/event-stream.ts'
import type { ChangeNotification } from './change-notifications.ts'
import { addIds } from './id-set.ts'
import {
  addAttachments,
  addResults,
  createAttachmentsEvent,
  createCommentsEvent,
  createPendingAttachments,
  createPendingComments,
  createPendingProject,
  createPendingRun,
  type EventContent,
  listProjectEvents,
  listRunEvents,
  MAX_EVENT_IDS,
  type PendingAttachments,
  type PendingComments,
  type PendingProject,
  type PendingRun,
} from './pending-changes.ts'
import { selectResultRows, selectRunEvents, selectWaitingCounts } from './run-events.queries.ts'
import type { Subscriber, Subscribers } from './subscribers.ts'
import { createThrottle } from './throttle.ts'

/** Turns changes into events, and sends them to the subscribers. */
export interface EventPublisher {
  add(change: Exclude<ChangeNotification, { kind: 'access' | 'sync' }>): void
  stop(): void
}

interface PublisherDeps {
  db: Database
  log: FastifyBaseLogger
  subscribers: Subscribers
  /** Tells subscribers that events may be missing. */
  sendSync(subscriber: Subscriber): void
}

/** Changes of the same run or project within this time become one event of each kind. */
const INTERVAL_MS = 200
/** Files of a run arrive one after another, and comments are no news of a moment. */
const SLOW_INTERVAL_MS = 500
/** One transaction sends several notifications. */
const DELAY_MS = 5
/** Limits the results that are read by one statement. */
const MAX_RUNS_PER_FLUSH = 10

/**
 * Events of all subscribers are read together, by one connection at a time. What nobody has subscribed to is not read.
 */
export function createEventPublisher({ db, log, subscribers, sendSync }: PublisherDeps): EventPublisher {
  const pendingChanges = new Map<string, PendingProject | PendingRun>()
  const pendingAttachments = new Map<string, PendingAttachments>()
  /** By the id of the run, or of the project for its test cases. */
  const pendingComments = new Map<string, PendingComments>()
  const limits = { delayMs: DELAY_MS, maxKeys: MAX_RUNS_PER_FLUSH }
  const throttle = createThrottle({ intervalMs: INTERVAL_MS, ...limits, flush })
  const attachmentsThrottle = createThrottle({
    intervalMs: SLOW_INTERVAL_MS,
    ...limits,
    flush: flushAttachments,
  })
  const commentsThrottle = createThrottle({
    intervalMs: SLOW_INTERVAL_MS,
    ...limits,
    flush: async (keys) => flushComments(keys),
  })

  function getPendingProject(project: ProjectRef, at: string): PendingProject {
    const pending = getPending(`project ${project.id}`, at, () => createPendingProject(project))
    return pending as PendingProject
  }

  function getPendingRun(project: ProjectRef, runId: string, at: string): PendingRun {
    return getPending(`run ${runId}`, at, () => createPendingRun(project, runId)) as PendingRun
  }

  function getPending(key: string, at: string, create: () => PendingProject | PendingRun) {
    const pending = pendingChanges.get(key) ?? create()
    if (at > pending.at) pending.at = at
    pendingChanges.set(key, pending)
    throttle.schedule(key)
    return pending
  }

  function addRuns(project: ProjectRef, change: ChangeNotification & { kind: 'runs' }): void {
    const { at, ids, isListed, isResized, isDeleted } = change
    if (isListed && subscribers.isProjectWatched(project.id)) {
      addIds(getPendingProject(project, at).runs, ids, MAX_EVENT_IDS)
    }
    if (isDeleted) return
    for (const runId of ids ?? listSubscribedRuns(project)) {
      if (!subscribers.isRunWatched(project.id, runId)) continue
      const run = getPendingRun(project, runId, at)
      run.hasChanged = true
      if (isResized) addResults(run, null)
    }
  }

  /** The runs of a project that somebody has subscribed to. */
  function listSubscribedRuns(project: ProjectRef): Set<string> {
    const runIds = subscribers.listInProject(project.id).map(({ runId }) => runId)
    return new Set(runIds.filter((runId) => runId !== null))
  }

  function addTestCases(project: ProjectRef, change: ChangeNotification & { kind: 'test_cases' }): void {
    if (subscribers.isProjectWatched(project.id)) {
      addIds(getPendingProject(project, change.at).testCases, change.ids, MAX_EVENT_IDS)
    }
    if (!change.isDeleted) return
    // Their results lose the id of the test case, in any run.
    for (const runId of listSubscribedRuns(project)) addResults(getPendingRun(project, runId, change.at), null)
  }

  async function flush(keys: readonly string[]): Promise<void> {
    const due = keys.flatMap((key) => pendingChanges.get(key) ?? [])
    for (const key of keys) pendingChanges.delete(key)
    for (const pending of due) {
      if (pending.kind === 'project') {
        send(subscribers.listOfProject(pending.project.id), pending.at, listProjectEvents(pending))
      }
    }
    const runs = due.filter((pending) => pending.kind === 'run')
    try {
      await sendRunEvents(runs)
    } catch (error) {
      log.warn({ err: error }, 'could not read the changes of runs for event streams')
      for (const { project, runId } of runs) subscribers.listOfRun(project.id, runId).forEach(sendSync)
    }
  }

  /** Sends the events of attachments, which have an interval of their own. */
  async function flushAttachments(runIds: readonly string[]): Promise<void> {
    const due = runIds.flatMap((runId) => pendingAttachments.get(runId) ?? [])
    for (const runId of runIds) pendingAttachments.delete(runId)
    try {
      const counts = await selectWaitingCounts(db, runIds)
      for (const pending of due) {
        const count = counts.get(pending.runId)
        if (count === undefined) continue
        const receivers = subscribers.listOfRun(pending.project.id, pending.runId)
        send(receivers, pending.at, [createAttachmentsEvent(pending, count)])
      }
    } catch (error) {
      log.warn({ err: error }, 'could not count the files that runs wait for, for event streams')
      for (const { project, runId } of due) subscribers.listOfRun(project.id, runId).forEach(sendSync)
    }
  }

  function addComment(project: ProjectRef, { at, ids, runId }: ChangeNotification & { kind: 'comments' }): void {
    const isWatched =
      runId === null ? subscribers.isProjectWatched(project.id) : subscribers.isRunWatched(project.id, runId)
    if (!isWatched) return
    const key = runId ?? project.id
    const pending = pendingComments.get(key) ?? createPendingComments(project, runId)
    if (at > pending.at) pending.at = at
    addIds(pending.places, ids, MAX_EVENT_IDS)
    pendingComments.set(key, pending)
    commentsThrottle.schedule(key)
  }

  /** Sends the events of comments, which name what has changed and read nothing. */
  function flushComments(keys: readonly string[]): void {
    const due = keys.flatMap((key) => pendingComments.get(key) ?? [])
    for (const key of keys) pendingComments.delete(key)
    for (const pending of due) {
      const { project, runId, at } = pending
      const receivers =
        runId === null ? subscribers.listOfProject(project.id) : subscribers.listOfRun(project.id, runId)
      send(receivers, at, [createCommentsEvent(pending)])
    }
  }

  /** An evaluation is announced once, and not joined with other changes. */
  function sendEvaluations(
    project: ProjectRef,
    { at, ids, evaluation }: ChangeNotification & { kind: 'evaluations' },
  ): void {
    for (const runId of ids ?? []) {
      const event: EvaluationEvent = { run_id: runId, ...evaluation }
      send(subscribers.listOfRun(project.id, runId), at, [['evaluation', JSON.stringify(event)]])
    }
  }

  async function sendRunEvents(runs: readonly PendingRun[]): Promise<void> {
    const runEvents = await selectRunEvents(
      db,
      runs.map(({ runId }) => runId),
    )
    const rows = await selectResultRows(
      db,
      runs.map(({ project, runId, results }) => ({ project, runId, resultIds: [...results.ids] })),
    )
    for (const run of runs) {
      const runEvent = runEvents.get(run.runId)
      if (runEvent === undefined) continue
      const events = listRunEvents(run, runEvent, rows.get(run.runId) ?? [])
      send(subscribers.listOfRun(run.project.id, run.runId), run.at, events)
    }
  }

  return {
    add(change) {
      const project = subscribers.findProject(change.projectId)
      if (project === null) return
      if (change.kind === 'results') {
        const { runId, at, ids } = change
        if (!subscribers.isRunWatched(project.id, runId)) return
        const run = getPendingRun(project, runId, at)
        // Its counters change with its results.
        run.hasChanged = true
        addResults(run, ids)
      } else if (change.kind === 'attachments') {
        const { runId, at, ids, testIds } = change
        if (!subscribers.isRunWatched(project.id, runId)) return
        const pending = pendingAttachments.get(runId) ?? createPendingAttachments(project, runId)
        if (at > pending.at) pending.at = at
        addAttachments(pending, { results: ids, tests: testIds })
        pendingAttachments.set(runId, pending)
        attachmentsThrottle.schedule(runId)
      } else if (change.kind === 'runs') addRuns(project, change)
      else if (change.kind === 'test_cases') addTestCases(project, change)
      else if (change.kind === 'comments') addComment(project, change)
      else if (change.kind === 'evaluations') sendEvaluations(project, change)
      else if (subscribers.isProjectWatched(project.id)) {
        const pending = getPendingProject(project, change.at)
        if (change.kind === 'milestones') addIds(pending.milestones, change.ids, MAX_EVENT_IDS)
        else if (change.kind === 'shared_steps') addIds(pending.sharedSteps, change.ids, MAX_EVENT_IDS)
        else if (change.kind === 'folders') pending.haveFoldersChanged = true
        else if (change.kind === 'fields') pending.haveFieldsChanged = true
        else if (change.kind === 'configurations') pending.haveConfigurationsChanged = true
        else pending.haveMembersChanged = true
      }
    },
    stop() {
      throttle.stop()
      attachmentsThrottle.stop()
      commentsThrottle.stop()
    },
  }
}

/** All subscribers share the bytes of their events. */
function send(receivers: readonly Subscriber[], changedAt: string, events: readonly EventContent[]): void {
  if (receivers.length === 0 || events.length === 0) return
  const id = toEventId(new Date(changedAt))
  const message = Buffer.from(events.map(([name, json]) => formatEvent(name, id, json)).join(''))
  for (const subscriber of receivers) {
    subscriber.stream.send(message)
    subscriber.lastEventId = id
  }
}

/**
 * Changes have the time at which their transaction began, and are sent when it commits: one that began earlier may be sent
 * later. Transactions take seconds at most, so that everything before this time has been sent.
 */
const LONGEST_TRANSACTION_MS = 10_000

/** The id of an event: a time such that all earlier changes were sent. */
export const toEventId = (changedAt: Date): string =>
  new Date(changedAt.getTime() - LONGEST_TRANSACTION_MS).toISOString()
