import type { RunSettings } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'

import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import { Select, type SelectOption } from '../../ui/select.tsx'
import { runSettingsQuery, useUpdateRunSettings } from './use-run-settings.ts'

type StepsDecide = RunSettings['steps_decide']

const OPTIONS: readonly SelectOption<StepsDecide>[] = [
  { value: 'suggest', label: 'Is set by people; the steps suggest one' },
  { value: 'derive', label: 'Follows from the steps' },
]
const HINT =
  'Failed if any step failed, else blocked or retest if any is, else passed once all steps passed. A status that somebody sets stays until the next result of a step.'

/** What the results of steps do with the status of their result. */
export function StepsSection({ projectId }: { projectId: string }) {
  const settings = useQuery(runSettingsQuery(projectId))
  const update = useUpdateRunSettings(projectId)
  return (
    <LoadedPart query={settings} noun="project">
      {({ steps_decide: saved }) => (
        <section className={styles.form} aria-label="Steps">
          <h2>Steps</h2>
          <Select<StepsDecide>
            label="The status of a result with steps"
            hint={HINT}
            value={update.isPending ? (update.variables.steps_decide ?? saved) : saved}
            options={OPTIONS}
            onChange={(steps_decide) => update.mutate({ steps_decide })}
          />
          <SaveMessage mutation={update} success="Saved" />
        </section>
      )}
    </LoadedPart>
  )
}
