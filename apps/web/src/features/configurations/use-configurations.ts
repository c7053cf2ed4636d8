import {
  type Configuration,
  createConfiguration,
  type CreateConfigurationBody,
  deleteConfiguration,
  listConfigurations,
  updateConfiguration,
  type UpdateConfigurationBody,
} from '@caseward/client/endpoints'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import {
  createInstanceConfiguration,
  deleteInstanceConfiguration,
  listInstanceConfigurations,
  updateInstanceConfiguration,
} from './instance-configuration-endpoints.ts'

/** The configurations of a project, group by group, retired ones last. */
export const configurationsQuery = (project_id: string) =>
  queryOptions({
    queryKey: queryKeys.configurations(project_id),
    queryFn: async ({ signal }) =>
      (await request(api, listConfigurations, { params: { project_id }, signal })).data
        .data as readonly Configuration[],
  })

/** The configurations of the instance, in the same order. */
export const instanceConfigurationsQuery = () =>
  queryOptions({
    queryKey: queryKeys.instanceConfigurations(),
    queryFn: async ({ signal }) =>
      (await request(api, listInstanceConfigurations, { signal })).data.data as readonly Configuration[],
  })

/** A group of configurations. */
export interface ConfigurationGroup {
  readonly key: string
  readonly name: string
  readonly scope: Configuration['scope']
  readonly configurations: readonly Configuration[]
}

/** The groups of configurations, each in its order. */
export function toGroups(configurations: readonly Configuration[]): ConfigurationGroup[] {
  const groups = new Map<string, Configuration[]>()
  for (const configuration of configurations) {
    groups.set(configuration.group_key, [...(groups.get(configuration.group_key) ?? []), configuration])
  }
  return [...groups].map(([key, members]) => ({
    key,
    name: members[0]?.group_name ?? key,
    scope: members[0]?.scope ?? 'project',
    configurations: members,
  }))
}

/** The name of a group. One of the instance says so if the project has one of the same name. */
export const formatGroupName = (
  { key, name, scope }: ConfigurationGroup,
  groups: readonly ConfigurationGroup[],
): string =>
  scope === 'instance' && groups.some((other) => other.key !== key && other.name === name)
    ? `${name} (of this instance)`
    : name

/** What adds, changes and deletes configurations. */
export type ConfigurationActions = ReturnType<typeof useChangeConfigurations>

/** Adds, changes and deletes configurations of a project. */
export function useChangeConfigurations(project_id: string) {
  const queryClient = useQueryClient()
  const onSuccess = () => {
    refreshQueries(queryClient, queryKeys.configurations(project_id))
    // Projects say whether they have any.
    refreshQueries(queryClient, queryKeys.projects())
  }
  const create = useMutation({
    mutationFn: (body: CreateConfigurationBody) => request(api, createConfiguration, { params: { project_id }, body }),
    onSuccess,
  })
  const update = useMutation({
    mutationFn: ({ id, body }: { id: string; body: UpdateConfigurationBody }) =>
      request(api, updateConfiguration, { params: { project_id, configuration_id: id }, body }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (id: string) => request(api, deleteConfiguration, { params: { project_id, configuration_id: id } }),
    onSuccess,
  })
  return { create, update, remove }
}

/** Adds, changes and deletes configurations of the instance. */
export function useChangeInstanceConfigurations(): ConfigurationActions {
  const queryClient = useQueryClient()
  const onSuccess = () => {
    refreshQueries(queryClient, queryKeys.instanceConfigurations())
    refreshQueries(queryClient, queryKeys.projects())
  }
  const create = useMutation({
    mutationFn: (body: CreateConfigurationBody) => request(api, createInstanceConfiguration, { body }),
    onSuccess,
  })
  const update = useMutation({
    mutationFn: ({ id, body }: { id: string; body: UpdateConfigurationBody }) =>
      request(api, updateInstanceConfiguration, { params: { configuration_id: id }, body }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (id: string) => request(api, deleteInstanceConfiguration, { params: { configuration_id: id } }),
    onSuccess,
  })
  return { create, update, remove }
}
