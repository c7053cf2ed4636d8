import { FIELD_KEY_PATTERN } from '@caseward/contract/fields'
import { MAX_RUN_CONFIGURATIONS, OTHER_TESTS_PLACE } from '@caseward/contract/run-configurations'
import type { RunRecord } from '@caseward/importers/records'

import type { StoredConfiguration } from '../combinations/match-variant.ts'
import { deriveId } from './derive-id.ts'
import { toStoredName } from './stored-name.ts'
import type { ConfigurationTargets } from './plan-own-configurations.ts'

/** What test cases of a run are tested with. */
export interface PlannedRunConfiguration {
  place: number
  name: string
  for_all: boolean
  configurations: StoredConfiguration[]
}

const KEY = new RegExp(FIELD_KEY_PATTERN)

/** Plans what a run is tested with: copies, as runs have them. A configuration that is not here keeps an id of its own. */
export function planRunConfigurations(
  { run_configurations: records = [] }: RunRecord,
  targets: ConfigurationTargets,
  projectId: string,
): { configurations: PlannedRunConfiguration[]; isLost: boolean } {
  const possible = records.filter(({ values }) =>
    values.every(({ group_key: group, key }) => KEY.test(group) && KEY.test(key)),
  )
  const others = possible.filter(({ place }) => place === OTHER_TESTS_PLACE)
  const kept = [
    ...possible.filter(({ place }) => place !== OTHER_TESTS_PLACE).slice(0, MAX_RUN_CONFIGURATIONS),
    ...others,
  ]
  const configurations = kept.map(({ place, name, for_all: isForAll, values }): PlannedRunConfiguration => ({
    place,
    name: toStoredName(name, 'Untitled'),
    for_all: isForAll,
    configurations: values.map((value) => ({
      id: targets.get(value.id) ?? deriveId([projectId, value.id]),
      group_key: value.group_key,
      group_name: toStoredName(value.group_name, value.group_key),
      key: value.key,
      name: toStoredName(value.name, value.key),
      variants: [...value.variants],
    })),
  }))
  return { configurations, isLost: configurations.length < records.length }
}
