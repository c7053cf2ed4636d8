import { combinePairs, countAllCombinations, countLeastPairs } from '@caseward/matching/combine-configurations'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { Checkbox } from '../../ui/checkbox.tsx'
import formStyles from '../../ui/form-page.module.css'
import { formatNumberOf, formatWholeNumber } from '../../ui/format-count.ts'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import styles from '../runs/new-run.module.css'
import type { NewRun } from '../runs/use-new-run.ts'
import { type ConfigurationGroup, configurationsQuery, formatGroupName, toGroups } from './use-configurations.ts'

/** What a run can have, as the server says. */
const MAX_CONFIGURATIONS = 100
const MAX_COMBINATIONS = 200_000

/** What the test cases of a new run are tested with, and how many results that makes. */
export function NewRunConfigurations({ newRun, projectId }: { newRun: NewRun; projectId: string }) {
  const query = useQuery(configurationsQuery(projectId))
  return (
    <section className={styles.fields} aria-label="Configurations">
      <LoadedPart query={query} noun="configurations">
        {(configurations) => (
          <Groups groups={toGroups(configurations.filter(({ retired_at: at }) => at === null))} newRun={newRun} />
        )}
      </LoadedPart>
    </section>
  )
}

function Groups({ groups, newRun }: { groups: readonly ConfigurationGroup[]; newRun: NewRun }) {
  const { choice, change, count } = newRun
  const chosen = useMemo(
    () =>
      groups
        .map(({ key, configurations }) =>
          configurations.filter((one) => choice.groups[key]?.includes(one.key) === true),
        )
        .filter((values) => values.length > 0),
    [groups, choice.groups],
  )
  const combinations = useMemo(() => countChosen(chosen, choice.isPairwise), [chosen, choice.isPairwise])
  const total = count * combinations
  const isTooMuch = combinations > MAX_CONFIGURATIONS || total > MAX_COMBINATIONS
  function toggle(group: string, key: string, isOn: boolean): void {
    const others = (choice.groups[group] ?? []).filter((other) => other !== key)
    change({ groups: { ...choice.groups, [group]: isOn ? [...others, key] : others } })
  }
  return (
    <>
      {groups.map((group) => (
        <fieldset key={group.key} className={formStyles.choices}>
          <legend>{formatGroupName(group, groups)}</legend>
          <div className={formStyles.buttons}>
            {group.configurations.map((configuration) => (
              <Checkbox
                key={configuration.key}
                label={configuration.name}
                checked={choice.groups[group.key]?.includes(configuration.key) === true}
                onChange={(isOn) => toggle(group.key, configuration.key, isOn)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {(chosen.length > 2 || choice.isPairwise) && (
        <Checkbox
          label="All pairs"
          hint="Every two configurations stand together at least once, instead of each with each: far fewer."
          checked={choice.isPairwise}
          onChange={(isPairwise) => change({ isPairwise })}
        />
      )}
      <p className={isTooMuch ? formStyles.failed : styles.muted} role="status">
        {combinations === 0
          ? 'Choose what to test with, and each test case has a result for each.'
          : `${formatNumberOf(count, 'test case')} × ${formatWholeNumber(combinations)} = ${formatWholeNumber(total)}`}
        {isTooMuch &&
          `: a run can have ${formatWholeNumber(MAX_CONFIGURATIONS)} configurations and ${formatWholeNumber(MAX_COMBINATIONS)} combinations`}
      </p>
    </>
  )
}

/** Only as many pairs are combined as a run can have. */
function countChosen(chosen: readonly (readonly unknown[])[], isPairwise: boolean): number {
  if (!isPairwise) return countAllCombinations(chosen)
  const least = countLeastPairs(chosen)
  return chosen.length === 0 ? 0 : least > MAX_CONFIGURATIONS ? least : combinePairs(chosen).length
}
