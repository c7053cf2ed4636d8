import { type FieldError } from '@caseward/contract/problem'
import {
  MAX_RUN_COMBINATIONS,
  MAX_RUN_CONFIGURATIONS,
  type NewRunConfigurations,
} from '@caseward/contract/run-configurations'
import {
  combineAll,
  combinePairs,
  countAllCombinations,
  countLeastPairs,
} from '@caseward/matching/combine-configurations'
import type { RawBuilder } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { unprocessableProblem } from '../../platform/http/problems.ts'
import { type ConfigurationRow, selectUsableConfigurations } from '../configurations/configurations.queries.ts'
import { chooseTestCases } from '../runs/choose-test-cases.ts'
import type { NewPlace } from './combinations.queries.ts'
import type { StoredConfiguration } from './match-variant.ts'

/** A configuration that a run has. */
export interface KnownPlace {
  place: number
  configurations: readonly StoredConfiguration[]
}

/**
 * Finds out what a run is to be tested with.
 * @param path of the request's field
 * @param known what the run has already
 * @param lastPlace the greatest place that a configuration of the run has, or has had
 * @returns the new configurations in their order, and every error of the request
 * @throws {Problem} 422 for more than a run can have
 */
export async function planConfigurations(
  tx: Database,
  project: ProjectRef,
  body: NewRunConfigurations,
  { path, known, lastPlace }: { path: string; known: readonly KnownPlace[]; lastPlace: number },
): Promise<{ places: NewPlace[]; errors: FieldError[] }> {
  const all = (await selectUsableConfigurations(tx, project.id)).filter(({ retired_at: at }) => at === null)
  const errors: FieldError[] = []
  const chosen = chooseGroups(all, body.groups ?? {}, errors, `${path}/groups`)
  const shared = await chooseSelection(tx, project, body.selection, { errors, path: `${path}/selection` })
  const wanted = combineGroups(chosen, body.mode, known.length).map((configurations) => ({
    configurations,
    condition: shared,
    path: `${path}/groups`,
  }))
  for (const [index, { values, selection }] of (body.list ?? []).entries()) {
    const own = `${path}/list/${index}`
    const configurations = chooseValues(all, values, errors, `${own}/values`)
    const condition =
      selection === undefined
        ? shared
        : await chooseSelection(tx, project, selection, { errors, path: `${own}/selection` })
    wanted.push({ configurations, condition, path: `${own}/values` })
  }
  if (wanted.length === 0 && errors.length === 0) {
    errors.push({ path, message: 'must contain `groups` or `list` with at least one configuration' })
  }
  if (errors.length > 0) return { places: [], errors }
  requireFewConfigurations(known.length + wanted.length)
  const seen = new Set(known.map(({ configurations }) => toKey(configurations)))
  // Places are never given again, so that one in an earlier value or an old link never means another configuration.
  let place = lastPlace
  const places = wanted.map(({ configurations, condition, path: own }) => {
    const key = toKey(configurations)
    if (seen.has(key))
      errors.push({ path: own, message: `contains ${toName(configurations)}, which the run has already` })
    seen.add(key)
    place += 1
    return { place, name: toName(configurations), configurations: configurations.map(toStored), condition }
  })
  return { places, errors }
}

/** @throws {Problem} 422 */
export function requireFewCombinations(count: number): void {
  if (count > MAX_RUN_COMBINATIONS) throw tooMany(`${count.toLocaleString('en')} combinations`)
}

function requireFewConfigurations(count: number): void {
  if (count > MAX_RUN_CONFIGURATIONS) throw tooMany(`${count.toLocaleString('en')} configurations`)
}

const tooMany = (count: string) =>
  unprocessableProblem(
    'too_many_combinations',
    `The run would have ${count}. It can have ${MAX_RUN_CONFIGURATIONS} configurations and ${MAX_RUN_COMBINATIONS.toLocaleString('en')} combinations: choose fewer configurations or test cases, or the mode \`pairwise\`.`,
  )

/** In the order of the project. */
function chooseGroups(
  all: readonly ConfigurationRow[],
  groups: Readonly<Record<string, readonly string[]>>,
  errors: FieldError[],
  path: string,
): ConfigurationRow[][] {
  for (const [group, keys] of Object.entries(groups)) {
    for (const [index, key] of keys.entries()) {
      if (findConfiguration(all, group, key) === undefined) errors.push(unknown(`${path}/${group}/${index}`))
    }
  }
  const names = [...new Set(all.map(({ group_key: group }) => group))].filter((group) => Object.hasOwn(groups, group))
  return names.map((name) => all.filter(({ group_key: group, key }) => group === name && groups[name]?.includes(key)))
}

function chooseValues(
  all: readonly ConfigurationRow[],
  values: Readonly<Record<string, string>>,
  errors: FieldError[],
  path: string,
): ConfigurationRow[] {
  for (const [group, key] of Object.entries(values)) {
    if (findConfiguration(all, group, key) === undefined) errors.push(unknown(`${path}/${group}`))
  }
  return all.filter(({ group_key: group, key }) => Object.hasOwn(values, group) && values[group] === key)
}

const findConfiguration = (all: readonly ConfigurationRow[], group: string, key: string) =>
  all.find((row) => row.group_key === group && row.key === key)

const unknown = (path: string): FieldError => ({
  path,
  message: 'is not a configuration in use of this group of the project or the instance',
})

/** @throws {Problem} 422, before many combinations are made */
function combineGroups(
  groups: readonly ConfigurationRow[][],
  mode: 'full' | 'pairwise' | undefined,
  knownCount: number,
): (readonly ConfigurationRow[])[] {
  if (groups.length === 0 || groups.some((values) => values.length === 0)) return []
  requireFewConfigurations(knownCount + (mode === 'pairwise' ? countLeastPairs(groups) : countAllCombinations(groups)))
  return mode === 'pairwise' ? combinePairs(groups) : combineAll(groups)
}

/** A condition on `test_cases c`; null for all. */
async function chooseSelection(
  tx: Database,
  project: ProjectRef,
  selection: NewRunConfigurations['selection'],
  { errors, path }: { errors: FieldError[]; path: string },
): Promise<RawBuilder<unknown> | null> {
  if (selection?.test_case_ids === undefined && selection?.folder_ids === undefined) return null
  const chosen = await chooseTestCases(tx, project, selection)
  errors.push(...chosen.errors.map((error) => ({ ...error, path: `${path}${error.path}` })))
  return chosen.condition
}

const toKey = (configurations: readonly { id: string }[]): string =>
  configurations
    .map(({ id }) => id)
    .toSorted()
    .join()

const MAX_NAME_LENGTH = 255

function toName(configurations: readonly { name: string }[]): string {
  const name = Array.from(configurations.map((configuration) => configuration.name).join(', '))
  return name.length <= MAX_NAME_LENGTH ? name.join('') : `${name.slice(0, MAX_NAME_LENGTH - 1).join('')}…`
}

const toStored = ({ id, group_key, group_name, key, name, variants }: ConfigurationRow): StoredConfiguration => ({
  id,
  group_key,
  group_name,
  key,
  name,
  variants,
})
