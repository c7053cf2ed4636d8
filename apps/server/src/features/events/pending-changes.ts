import {
  type AttachmentsEvent,
  type CommentsEvent,
  MAX_EVENT_ATTACHMENTS,
  MAX_EVENT_RESULTS,
} from '@caseward/contract/events'

import type { ProjectRef } from '../../access/project-cache.ts'
import { addIds, createIdSet, type IdSet, isEmpty } from './id-set.ts'

/** What has changed in a project since its last events. */
export interface PendingProject {
  kind: 'project'
  project: ProjectRef
  /** When the last of the changes was made. */
  at: string
  testCases: IdSet
  sharedSteps: IdSet
  milestones: IdSet
  runs: IdSet
  haveFoldersChanged: boolean
  haveFieldsChanged: boolean
  haveConfigurationsChanged: boolean
  haveMembersChanged: boolean
}

/** What has changed in a run since its last events. */
export interface PendingRun {
  kind: 'run'
  project: ProjectRef
  runId: string
  at: string
  hasChanged: boolean
  results: IdSet
}

/** Attachments of a run that have changed since its last event about them. */
export interface PendingAttachments {
  kind: 'attachments'
  project: ProjectRef
  runId: string
  at: string
  results: IdSet
  tests: IdSet
}

/** Comments of a run and its results, or of test cases of a project, that have changed since the last event about them. */
export interface PendingComments {
  kind: 'comments'
  project: ProjectRef
  /** Null for test cases. */
  runId: string | null
  at: string
  /** Ids of results, or numbers of test cases. */
  places: IdSet
}

/** Most ids of one event of a project. */
export const MAX_EVENT_IDS = 500

export const createPendingProject = (project: ProjectRef): PendingProject => ({
  kind: 'project',
  project,
  at: '',
  testCases: createIdSet(),
  sharedSteps: createIdSet(),
  milestones: createIdSet(),
  runs: createIdSet(),
  haveFoldersChanged: false,
  haveFieldsChanged: false,
  haveConfigurationsChanged: false,
  haveMembersChanged: false,
})

export const createPendingRun = (project: ProjectRef, runId: string): PendingRun => ({
  kind: 'run',
  project,
  runId,
  at: '',
  hasChanged: false,
  results: createIdSet(),
})

export const createPendingAttachments = (project: ProjectRef, runId: string): PendingAttachments => ({
  kind: 'attachments',
  project,
  runId,
  at: '',
  results: createIdSet(),
  tests: createIdSet(),
})

export const createPendingComments = (project: ProjectRef, runId: string | null): PendingComments => ({
  kind: 'comments',
  project,
  runId,
  at: '',
  places: createIdSet(),
})

/** The event of changed comments. */
export function createCommentsEvent({ project, runId, places }: PendingComments): EventContent {
  const ids = [...places.ids]
  const event: CommentsEvent = {
    run_id: runId,
    result_ids: runId === null ? [] : ids,
    test_case_ids: runId === null ? ids.map((number) => `${project.prefix}-${number}`) : [],
    more: places.more,
  }
  return ['comments', JSON.stringify(event)]
}

/** @param ids null for more than fit into an event */
export function addAttachments(
  pending: PendingAttachments,
  ids: { results: readonly string[] | null; tests: readonly string[] | null },
): void {
  addIds(pending.results, ids.results, MAX_EVENT_ATTACHMENTS)
  addIds(pending.tests, ids.tests, MAX_EVENT_ATTACHMENTS)
}

/** The event of changed attachments. */
export function createAttachmentsEvent({ results, tests }: PendingAttachments, waitingCount: number): EventContent {
  const event: AttachmentsEvent = {
    result_ids: [...results.ids],
    test_ids: [...tests.ids],
    more: results.more || tests.more,
    waiting_file_count: waitingCount,
  }
  return ['attachments', JSON.stringify(event)]
}

/** Adds results of a run. @param ids null for more than fit into an event */
export const addResults = (run: PendingRun, ids: readonly string[] | null): void =>
  addIds(run.results, ids, MAX_EVENT_RESULTS)

/** An event without its id: its name and its data as JSON. */
export type EventContent = readonly [name: string, json: string]

/** The events of a project, each at most once. */
export function listProjectEvents(pending: PendingProject): EventContent[] {
  const toTestCaseIds = (numbers: IdSet) => [...numbers.ids].map((number) => `${pending.project.prefix}-${number}`)
  const {
    testCases,
    sharedSteps,
    milestones,
    runs,
    haveFoldersChanged,
    haveFieldsChanged,
    haveConfigurationsChanged,
    haveMembersChanged,
  } = pending
  return [
    ...listIdEvents('test_cases', testCases, toTestCaseIds(testCases)),
    ...(haveFoldersChanged ? [['folders', '{}'] as const] : []),
    ...(haveFieldsChanged ? [['fields', '{}'] as const] : []),
    ...(haveConfigurationsChanged ? [['configurations', '{}'] as const] : []),
    ...listIdEvents('shared_steps', sharedSteps, [...sharedSteps.ids]),
    ...listIdEvents('milestones', milestones, [...milestones.ids]),
    ...listIdEvents('runs', runs, [...runs.ids]),
    ...(haveMembersChanged ? [['members', '{}'] as const] : []),
  ]
}

const listIdEvents = (name: string, set: IdSet, ids: readonly string[]): EventContent[] =>
  isEmpty(set) ? [] : [[name, JSON.stringify({ ids, more: set.more })]]

/** The events of a run. @param runJson the data of the event `run` */
export function listRunEvents(pending: PendingRun, runJson: string, rows: readonly string[]): EventContent[] {
  const { runId, hasChanged, results } = pending
  const resultsJson = `{"run_id":"${runId}","results":[${rows.join(',')}],"more":${results.more}}`
  return [
    ...(hasChanged ? [['run', runJson] as const] : []),
    ...(isEmpty(results) ? [] : [['results', resultsJson] as const]),
  ]
}
