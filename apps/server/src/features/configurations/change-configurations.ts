import {
  type Configuration,
  type CreateConfigurationBody,
  MAX_CONFIGURATION_GROUPS,
  MAX_CONFIGURATIONS,
  MAX_GROUP_CONFIGURATIONS,
  type UpdateConfigurationBody,
} from '@caseward/contract/configurations'
import { INSTANCE_KEY_PREFIX } from '@caseward/contract/instance-fields'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import {
  conflictProblem,
  invalidFieldProblem,
  notFoundProblem,
  unprocessableProblem,
} from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import * as queries from './configurations.queries.ts'
import type { ConfigurationRow } from './configurations.queries.ts'

/*
 * Changes of the configurations of a project, or of the instance (null), one at a time: all lock the project, or those of the
 * instance. Runs have copies and do not change.
 */

/**
 * Adds a configuration at the end of its group.
 * @throws {Problem} 400 for a group without a name, or a name in use; 409 for a key in use; 422 for too many
 */
export async function createConfiguration(
  db: Database,
  actor: AuditActor,
  projectId: string | null,
  body: CreateConfigurationBody,
): Promise<Configuration> {
  return await withConfigurations(db, projectId, async (tx, all) => {
    const group = all.filter(({ group_key }) => group_key === body.group_key)
    if (group.length === 0) requirePossibleGroupKey(projectId, body.group_key)
    if (group.some(({ key }) => key === body.key)) throw keyTakenProblem(body)
    const groupName = body.group_name ?? group[0]?.group_name
    if (groupName === undefined) throw invalidFieldProblem('/group_name', 'is required for a new group')
    requireOtherGroupName(all, body.group_key, groupName)
    requireOtherName(group, null, body.name)
    requireRoom(all, body.group_key)
    if (all.length >= MAX_CONFIGURATIONS) {
      throw tooMany(`There are ${MAX_CONFIGURATIONS} configurations with retired ones. Delete some of them first.`)
    }
    const created: ConfigurationRow = {
      id: uuidv7(),
      scope: projectId === null ? 'instance' : 'project',
      group_key: body.group_key,
      group_name: groupName,
      key: body.key,
      name: body.name,
      variants: toVariants(body.variants ?? []),
      position: getActive(group).length + 1,
      retired_at: null,
    }
    await queries.saveConfiguration(tx, projectId, created)
    await saveGroup(tx, projectId, [...getActive(group), created])
    await record(tx, actor, projectId, created, 'configuration.create', { group: groupName })
    return queries.presentConfiguration(created)
  })
}

/**
 * Changes what is sent.
 * @throws {Problem} 404; 400 for a name in use; 422 for too many in use
 */
export async function updateConfiguration(
  db: Database,
  actor: AuditActor,
  projectId: string | null,
  id: string,
  body: UpdateConfigurationBody,
): Promise<Configuration> {
  return await withConfigurations(db, projectId, async (tx, all) => {
    const before = await requireConfiguration(tx, all, projectId, id)
    const group = all.filter(({ group_key }) => group_key === before.group_key)
    const isRetired = body.retired ?? before.retired_at !== null
    if (body.name !== undefined) requireOtherName(group, id, body.name)
    if (body.group_name !== undefined) requireOtherGroupName(all, before.group_key, body.group_name)
    if (!isRetired && before.retired_at !== null) requireRoom(all, before.group_key)
    const after: ConfigurationRow = {
      ...before,
      name: body.name ?? before.name,
      group_name: body.group_name ?? before.group_name,
      variants: body.variants === undefined ? before.variants : toVariants(body.variants),
      retired_at: isRetired ? (before.retired_at ?? new Date()) : null,
    }
    const others = getActive(group).filter((other) => other.id !== id)
    const isBack = !isRetired && before.retired_at !== null
    const place = body.position ?? (isBack ? others.length + 1 : before.position)
    const order = isRetired ? others : others.toSpliced(place - 1, 0, after)
    after.position = order.findIndex((other) => other.id === id) + 1
    const changed = listChanged(before, after)
    if (changed.length === 0) return queries.presentConfiguration(before)
    await queries.saveConfiguration(tx, projectId, after)
    await queries.updateGroup(tx, projectId, {
      key: after.group_key,
      name: after.group_name,
      ids: order.map((other) => other.id),
    })
    await record(tx, actor, projectId, after, 'configuration.update', { group: after.group_name, changed })
    return queries.presentConfiguration(after)
  })
}

/** Deletes a configuration. @throws {Problem} 404 */
export async function deleteConfiguration(
  db: Database,
  actor: AuditActor,
  projectId: string | null,
  id: string,
): Promise<void> {
  await withConfigurations(db, projectId, async (tx, all) => {
    const row = await requireConfiguration(tx, all, projectId, id)
    await queries.deleteConfigurationRow(tx, id)
    const rest = getActive(all).filter((other) => other.group_key === row.group_key && other.id !== id)
    await saveGroup(tx, projectId, rest)
    await record(tx, actor, projectId, row, 'configuration.delete', { group: row.group_name })
  })
}

async function saveGroup(tx: Database, projectId: string | null, rows: readonly ConfigurationRow[]): Promise<void> {
  const last = rows.at(-1)
  if (last === undefined) return
  const ids = rows.map(({ id }) => id)
  await queries.updateGroup(tx, projectId, { key: last.group_key, name: last.group_name, ids })
}

async function withConfigurations<T>(
  db: Database,
  projectId: string | null,
  change: (tx: Database, all: readonly ConfigurationRow[]) => Promise<T>,
): Promise<T> {
  return await db.transaction().execute(async (tx) => {
    if (projectId === null) await queries.lockInstanceConfigurations(tx)
    else await requireLockedProject(tx, projectId)
    return await change(tx, await queries.selectConfigurations(tx, projectId))
  })
}

async function requireConfiguration(
  tx: Database,
  all: readonly ConfigurationRow[],
  projectId: string | null,
  id: string,
): Promise<ConfigurationRow> {
  const row = all.find((candidate) => candidate.id === id)
  if (row !== undefined) return row
  if (projectId === null || !(await queries.isOfInstance(tx, id))) throw notFoundProblem('configuration')
  throw conflictProblem(
    'instance_configuration',
    'This configuration is one of the whole instance: only administrators of the instance can change it.',
  )
}

/** Groups of the instance and of projects never have the same key, so that a run names one of them. */
function requirePossibleGroupKey(projectId: string | null, key: string): void {
  const isOfInstance = key.startsWith(INSTANCE_KEY_PREFIX)
  if (isOfInstance === (projectId === null)) return
  throw invalidFieldProblem(
    '/group_key',
    isOfInstance
      ? `must not begin with ${INSTANCE_KEY_PREFIX}: such keys are for groups of the whole instance`
      : `must begin with ${INSTANCE_KEY_PREFIX}, so that it is not the key of a project's own group`,
  )
}

const getActive = (rows: readonly ConfigurationRow[]): ConfigurationRow[] =>
  rows.filter(({ retired_at: at }) => at === null)

/** Each once, in their order. */
const toVariants = (variants: readonly string[]): string[] => [...new Set(variants)]

function listChanged(before: ConfigurationRow, after: ConfigurationRow): string[] {
  const names = ['name', 'group_name', 'position'] as const
  return [
    ...names.filter((name) => before[name] !== after[name]),
    ...(before.variants.join('\n') === after.variants.join('\n') ? [] : ['variants']),
    ...((before.retired_at === null) === (after.retired_at === null) ? [] : ['retired']),
  ]
}

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

function requireOtherName(group: readonly ConfigurationRow[], id: string | null, name: string): void {
  if (!getActive(group).some((other) => other.id !== id && isSameName(other.name, name))) return
  throw invalidFieldProblem('/name', 'is the name of another configuration of this group')
}

function requireOtherGroupName(all: readonly ConfigurationRow[], key: string, name: string): void {
  if (!getActive(all).some((other) => other.group_key !== key && isSameName(other.group_name, name))) return
  throw invalidFieldProblem('/group_name', 'is the name of another group')
}

function requireRoom(all: readonly ConfigurationRow[], groupKey: string): void {
  const active = getActive(all)
  const groups = new Set(active.map(({ group_key }) => group_key))
  if (!groups.has(groupKey) && groups.size >= MAX_CONFIGURATION_GROUPS) {
    throw tooMany(
      `There are ${MAX_CONFIGURATION_GROUPS} groups in use. Retire the configurations of one of them first.`,
    )
  }
  if (active.filter(({ group_key }) => group_key === groupKey).length >= MAX_GROUP_CONFIGURATIONS) {
    throw tooMany(`This group has ${MAX_GROUP_CONFIGURATIONS} configurations in use. Retire one of them first.`)
  }
}

const tooMany = (detail: string) => unprocessableProblem('too_many_configurations', detail)

const keyTakenProblem = ({ group_key: group, key }: CreateConfigurationBody) =>
  conflictProblem(
    'key_taken',
    `The group ${group} has another configuration with the key ${key}, which may be retired.`,
    [{ path: '/key', message: 'is the key of another configuration of this group' }],
  )

async function record(
  tx: Database,
  actor: AuditActor,
  projectId: string | null,
  { id, name }: ConfigurationRow,
  action: 'configuration.create' | 'configuration.update' | 'configuration.delete',
  detail: Record<string, unknown>,
): Promise<void> {
  const subject = { kind: 'configuration', id, name } as const
  await recordAudit(tx, actor, { action, subject, ...(projectId !== null && { projectId }), detail })
}
