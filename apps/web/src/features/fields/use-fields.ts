import type { Field, FieldSubject } from '@caseward/client/endpoints'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { useProject } from '../../use-project.ts'
import { listFields } from './field-endpoints.ts'

/** The custom fields that a subject has in a project. */
export interface ProjectFields {
  /** In their order, retired ones last. */
  readonly all: readonly Field[]
  readonly active: readonly Field[]
  readonly byKey: ReadonlyMap<string, Field>
  /** Whether it is not known yet which fields there are. */
  readonly isLoading: boolean
}

export const fieldsOf = (project_id: string, subject: FieldSubject = 'case') =>
  queryOptions({
    queryKey: [...queryKeys.fields(project_id), subject],
    queryFn: async ({ signal }) =>
      (await request(api, listFields, { params: { project_id }, query: { subject }, signal })).data.data,
  })

const none: readonly Field[] = []

/** Reads the fields of a project. One that never had any needs no request: the list of projects says so. */
export function useFields(projectId: string | undefined, subject: FieldSubject = 'case'): ProjectFields {
  const { project, projects } = useProject(projectId)
  const hasFields = (project?.fields_version ?? 0) > 0
  const { data = none, isPending } = useQuery({ ...fieldsOf(projectId ?? '', subject), enabled: hasFields })
  const isLoading = projects.isPending || (hasFields && isPending)
  return useMemo(
    () => ({
      all: data,
      active: data.filter(({ retired_at: at }) => at === null),
      byKey: new Map(data.map((field) => [field.key, field])),
      isLoading,
    }),
    [data, isLoading],
  )
}
