import type { InstanceSettings } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'

import { LoadedPart } from '../../ui/loaded-part.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import styles from './administration.module.css'
import { QuotasForm } from './quotas-form.tsx'
import { SecondFactorSetting } from './second-factor-setting.tsx'
import { useUpdateSettings } from './use-update-settings.ts'
import { instanceSettingsQuery } from './user-queries.ts'

const creationOptions = [
  { value: 'everyone', label: 'Everybody' },
  { value: 'instance_admins', label: 'Administrators only' },
] as const satisfies readonly { value: InstanceSettings['project_creation']; label: string }[]

/** The settings of the instance. Each is saved when it is changed. */
export function SettingsSection() {
  const settings = useQuery(instanceSettingsQuery())
  const update = useUpdateSettings()
  return (
    <section className={styles.settings} aria-label="Settings">
      <LoadedPart query={settings} noun="settings">
        {({ project_creation: stored, require_second_factor: isRequired, ...quotas }) => (
          <>
            <h2 className={styles.settingName}>Who can create projects</h2>
            <Segmented
              label="Who can create projects"
              value={update.isPending ? (update.variables.project_creation ?? stored) : stored}
              options={creationOptions}
              onChange={(project_creation) => update.mutate({ project_creation })}
            />
            <p className={styles.hint}>
              Whoever creates a project is its first admin. Existing projects do not change.
            </p>
            <SaveMessage mutation={update} success="Saved" />
            <SecondFactorSetting isRequired={isRequired} />
            <QuotasForm stored={quotas} />
          </>
        )}
      </LoadedPart>
    </section>
  )
}
