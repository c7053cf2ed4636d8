import type { FieldSubject } from '@caseward/client/endpoints'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { api } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { undoStack } from '../../undo/use-undo.ts'
import {
  createInstanceField,
  deleteInstanceField,
  listInstanceFields,
  listOfferedFields,
  restoreInstanceField,
  retireInstanceField,
  updateInstanceField,
} from './instance-field-endpoints.ts'
import type { FieldActions } from './use-field-actions.ts'

/** The fields of the instance, for its administrators. */
export const instanceFieldsOf = (subject: FieldSubject) =>
  queryOptions({
    queryKey: [...queryKeys.instanceFields(), subject],
    queryFn: async ({ signal }) => (await request(api, listInstanceFields, { query: { subject }, signal })).data.data,
  })

/** The fields of the instance that a project has or could have. */
export const offeredFieldsOf = (project_id: string, subject: FieldSubject) =>
  queryOptions({
    queryKey: [...queryKeys.fields(project_id), 'offered', subject],
    queryFn: async ({ signal }) =>
      (await request(api, listOfferedFields, { params: { project_id }, query: { subject }, signal })).data.data,
  })

/** What the administrators of the instance do with its fields. */
export function useInstanceFieldActions(): FieldActions {
  const queryClient = useQueryClient()
  return useMemo(() => createActions(() => refreshQueries(queryClient, queryKeys.instanceFields())), [queryClient])
}

function createActions(refresh: () => void): FieldActions {
  const withRefresh = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } finally {
      refresh()
    }
  }
  const restore = async (field_id: string) =>
    void (await withRefresh(request(api, restoreInstanceField, { params: { field_id } })))
  return {
    create: async (body) =>
      (await withRefresh(request(api, createInstanceField, { body: withoutRequirement(body) }))).data.data,
    update: async (field_id, body) => {
      const sent = { params: { field_id }, body: withoutRequirement(body) }
      return (await withRefresh(request(api, updateInstanceField, sent))).data.data
    },
    move: async ({ id: field_id }, position) =>
      await withRefresh(request(api, updateInstanceField, { params: { field_id }, body: { position } })),
    restore: async ({ id }) => restore(id),
    async retire({ id, name }) {
      await withRefresh(request(api, retireInstanceField, { params: { field_id: id } }))
      undoStack.push({ words: `“${name}” retired`, undo: () => restore(id) })
    },
    remove: async (field_id) => void (await withRefresh(request(api, deleteInstanceField, { params: { field_id } }))),
  }
}

/** Each project decides what it requires. */
function withoutRequirement<Body extends { is_required?: boolean; required_on?: unknown }>(
  body: Body,
): Omit<Body, 'is_required' | 'required_on'> {
  const { is_required: _isRequired, required_on: _requiredOn, ...definition } = body
  return definition
}
