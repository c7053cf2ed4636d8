import type {
  CombinationRecord,
  ConfigurationRecord,
  OwnStepResults,
  RunConfigurationRecord,
} from '../../history-records.ts'
import { toStepResults } from './read-steps.ts'
import {
  type FindPerson,
  type Raw,
  readNullableString,
  readNumber,
  readObjects,
  readString,
  readStrings,
} from './read-values.ts'

/*
 * Configurations of a bundle, what runs have of them, and results of each.
 */

const MAX_NAME = 255
const MAX_PLACE = 32_767

export const toConfiguration = (raw: Raw): ConfigurationRecord => ({
  kind: 'configuration',
  key: readString(raw, 'key'),
  group: readString(raw, 'group'),
  value: readString(raw, 'value'),
  own: {
    group_key: readString(raw, 'group_key'),
    value_key: readString(raw, 'value_key'),
    variants: readVariants(raw),
    position: readNumber(raw, 'position') ?? 0,
    retired_at: readNullableString(raw, 'retired_at'),
  },
})

const readVariants = (raw: Raw) => [...new Set(readStrings(raw, 'variants').map((text) => text.slice(0, MAX_NAME)))]

export const isPlace = (place: number | null): place is number =>
  place !== null && Number.isInteger(place) && place >= 1 && place <= MAX_PLACE

/** What a run is tested with. What has no place, or that of another one, is left out. */
export function toRunConfigurations(raw: Raw): RunConfigurationRecord[] {
  const seen = new Set<number>()
  return readObjects(raw, 'configurations').flatMap((item): RunConfigurationRecord[] => {
    const place = readNumber(item, 'place')
    if (!isPlace(place) || seen.has(place)) return []
    seen.add(place)
    return [
      {
        place,
        name: readString(item, 'name'),
        for_all: item['for_all'] !== false,
        values: readObjects(item, 'values').map((value) => ({
          id: readString(value, 'id').slice(0, MAX_NAME),
          group_key: readString(value, 'group_key').slice(0, MAX_NAME),
          group_name: readString(value, 'group_name').slice(0, MAX_NAME),
          key: readString(value, 'key').slice(0, MAX_NAME),
          name: readString(value, 'name').slice(0, MAX_NAME),
          variants: readVariants(value),
        })),
      },
    ]
  })
}

/**
 * Results of configurations, each place once, in their order.
 * @param steps results of their steps by place; those of an earlier value are in the combination
 */
export function toCombinations(
  raw: Raw,
  findPerson: FindPerson,
  steps: ReadonlyMap<number, OwnStepResults>,
): CombinationRecord[] {
  const byPlace = new Map<number, CombinationRecord>()
  for (const item of readObjects(raw, 'combinations')) {
    const place = readNumber(item, 'place')
    const configuration = readNumber(item, 'configuration')
    const assignedTo = findPerson(readString(item, 'assigned_to'))
    if (!isPlace(place) || byPlace.has(place)) continue
    const ownSteps = steps.get(place) ?? toStepResults(readObjects(item, 'steps'), '')
    byPlace.set(place, {
      place,
      configuration: isPlace(configuration) ? configuration : null,
      status: readString(item, 'status'),
      note: readString(item, 'note'),
      elapsed_seconds: readNumber(item, 'elapsed_seconds'),
      person: findPerson(readString(item, 'person')),
      at: readString(item, 'at'),
      ...(assignedTo === '' ? {} : { assigned_to: assignedTo }),
      ...(ownSteps === null ? {} : { own_steps: ownSteps }),
    })
  }
  return [...byPlace.values()].toSorted((a, b) => a.place - b.place)
}
