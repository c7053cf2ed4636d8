import { describeRunWithoutKey, findOrCreateRun, isRunOfKey } from '@caseward/ci-run/find-run'
import { describeProjectMismatch, isProjectId, matchProjects, type NamedProject } from '@caseward/ci-run/match-projects'
import type { RunTarget } from '@caseward/ci-run/settings'
import type { Client } from '@caseward/client'
import { getRun, type IgnoredFields, listProjects, type Run } from '@caseward/client/endpoints'

import { toDeliveryFailure, notCasewardFailure, DeliveryError } from './delivery-failure.ts'
import { isRecord } from './parse-attempt.ts'
import { now } from './restore-globals.ts'

/** Number of projects that an error message lists. */
const MAX_CHOICES = 5

/*
 * The client validates only the outermost fields of a response. The fields that are used here are checked here, so that
 * an unexpected response never breaks a suite.
 */

/** A project, and how far the server's clock is ahead of the local clock. */
interface FoundProject extends NamedProject {
  readonly skewMs: number
}

/** Finds the project that the target names by id or prefix; for a run, the project of the token. */
export async function findProject(client: Client, target: RunTarget, signal: AbortSignal): Promise<FoundProject> {
  // The first page is enough: results are uploaded with a CI token, which has access to exactly one project.
  const reply = await client.call(listProjects, { query: { per_page: 100 }, signal })
  if (reply.kind !== 'success') throw new DeliveryError(toDeliveryFailure(reply))
  const projects = assertProjects(reply.data.data)
  const matches = target.kind === 'run' ? projects : matchProjects(projects, target.projectId)
  const [project] = matches
  if (project === undefined || (target.kind === 'key' && matches.length > 1)) {
    throw new DeliveryError({
      reason: describeMissingProject(target, matches, projects),
      isPermanent: false,
      affectsAllSuites: target.kind === 'run',
    })
  }
  if (!/^[A-Z]{2,5}$/.test(project.prefix)) throw new DeliveryError(notCasewardFailure('a project without a prefix'))
  return { ...project, skewMs: getClockSkewMs(reply.headers.get('date')) }
}

function assertProjects(items: unknown): NamedProject[] {
  if (!Array.isArray(items)) throw new DeliveryError(notCasewardFailure('no list of projects'))
  return items.map((item: unknown) => {
    const { id, prefix } = isRecord(item) ? item : {}
    return { id: typeof id === 'string' ? id : '', prefix: typeof prefix === 'string' ? prefix : '' }
  })
}

function describeMissingProject(
  target: RunTarget,
  matches: readonly NamedProject[],
  projects: readonly NamedProject[],
): string {
  if (target.kind === 'run' || projects.length === 0) return 'The token does not have access to any project.'
  const choices = (matches.length > 0 ? matches : projects).slice(0, MAX_CHOICES)
  const names = choices.map(({ id, prefix }) => `${id} (${prefix})`).join(', ')
  return `${describeProjectMismatch(target.projectId, matches)} Set SERVICE_PROJECT_ID (or the option projectId) to one of: ${names}.`
}

/** A small difference is ignored, because the Date header has a resolution of one second. */
function getClockSkewMs(date: string | null): number {
  const skewMs = Date.parse(date ?? '') - now()
  return Math.abs(skewMs) > 5000 ? skewMs : 0
}

/** A run, and the values of its custom fields that the server has ignored. */
export type FoundRun = Run & { readonly ignoredFields?: IgnoredFields }

/**
 * Gets the run of an id, or finds or creates the run of a key.
 * @param project the project that the target names; only waited for if it is named by its prefix
 */
export async function findRun(
  client: Client,
  target: RunTarget,
  project: Promise<NamedProject>,
  signal: AbortSignal,
): Promise<FoundRun> {
  if (target.kind === 'run') {
    const reply = await client.call(getRun, { params: { run_id: target.id }, signal })
    if (reply.kind !== 'success') throw new DeliveryError(toDeliveryFailure(reply))
    return assertRun(reply.data.data)
  }
  const projectId = isProjectId(target.projectId) ? target.projectId : (await project).id
  const reply = await findOrCreateRun(client, projectId, target, { signal })
  if (reply.kind !== 'success') throw new DeliveryError(toDeliveryFailure(reply))
  const run = assertRun(reply.data.data)
  const { ignored_fields: ignoredFields } = reply.data
  if (isRunOfKey(run, target)) return ignoredFields === undefined ? run : { ...run, ignoredFields }
  // Each suite would create another run.
  throw new DeliveryError({
    reason: describeRunWithoutKey(run.id).join(' '),
    isPermanent: false,
    affectsAllSuites: true,
  })
}

/** @throws {DeliveryError} when the value is not a run */
export function assertRun(run: Run): Run {
  const isRun = isRecord(run) && typeof run.id === 'string' && run.id !== '' && typeof run.name === 'string'
  if (!isRun || !Array.isArray(run.shards_done)) throw new DeliveryError(notCasewardFailure('no run'))
  return run
}
