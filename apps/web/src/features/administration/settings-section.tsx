import { type InstanceSettings, updateInstanceSettings } from '@caseward/client/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import styles from './administration.module.css'
import { instanceSettingsQuery } from './user-queries.ts'

const creationOptions = [
  { value: 'everyone', label: 'Everybody' },
  { value: 'instance_admins', label: 'Administrators only' },
] as const satisfies readonly { value: InstanceSettings['project_creation']; label: string }[]

/** The settings of the instance. Each is saved when it is changed. */
export function SettingsSection() {
  const { data, error, refetch } = useQuery(instanceSettingsQuery())
  const update = useUpdateSettings()
  if (data === undefined) {
    if (error !== null) {
      return (
        <ErrorMessage title="The settings could not be loaded." onRetry={() => void refetch()}>
          {describeFailure(error).message}
        </ErrorMessage>
      )
    }
    return (
      <Loading label="Loading the settings">
        <div className={styles.settings}>
          <Skeleton width={220} />
        </div>
      </Loading>
    )
  }
  const value = update.isPending ? (update.variables.project_creation ?? data.project_creation) : data.project_creation
  return (
    <section className={styles.settings} aria-label="Settings">
      <h2 className={styles.settingName}>Who can create projects</h2>
      <Segmented
        label="Who can create projects"
        value={value}
        options={creationOptions}
        onChange={(project_creation) => update.mutate({ project_creation })}
      />
      <p className={styles.hint}>Whoever creates a project is its first admin. Existing projects do not change.</p>
      <SaveMessage mutation={update} success="Saved" />
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
