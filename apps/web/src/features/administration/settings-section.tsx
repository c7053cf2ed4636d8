import { type InstanceSettings, updateInstanceSettings } from '@caseward/client/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import styles from './administration.module.css'
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
        {({ project_creation: stored }) => (
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
          </>
        )}
      </LoadedPart>
    </section>
  )
}

function useUpdateSettings() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: Partial<InstanceSettings>) =>
      (await request(api, updateInstanceSettings, { body })).data.data,
    onSuccess: (settings) => queryClient.setQueryData(queryKeys.instanceSettings(), settings),
  })
}
