import type { Import, ImportedRecord, ImportSettings } from '@caseward/client/endpoints'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import {
  applyImport,
  cancelImport,
  getImport,
  listImportRecords,
  listImports,
  planImport,
  resolveConflicts,
  resumeImport,
  undoImport,
} from './import-endpoints.ts'

export const importsKey = (projectId: string) => [...queryKeys.inProject(projectId), 'imports']
const importKey = (projectId: string, id: string) => [...importsKey(projectId), id]

const WORKING: ReadonlySet<Import['state']> = new Set(['reading', 'planning', 'applying', 'undoing'])
export const isWorking = ({ state }: Import): boolean => WORKING.has(state)

/** While a server works on an import, how far it is. */
const REFRESH_MS = 700

/** The latest imports of a project. */
export const importsQuery = (project_id: string) =>
  queryOptions({
    queryKey: importsKey(project_id),
    queryFn: async ({ signal }): Promise<readonly Import[]> =>
      (await request(api, listImports, { params: { project_id }, query: { per_page: 20 }, signal })).data.data,
  })

export const importQuery = (project_id: string, import_id: string) =>
  queryOptions({
    queryKey: importKey(project_id, import_id),
    queryFn: async ({ signal }): Promise<Import> =>
      (await request(api, getImport, { params: { project_id, import_id }, signal })).data.data,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isWorking(data) ? REFRESH_MS : false),
  })

/** What a list of records can be narrowed to. */
export interface RecordFilter {
  readonly action?: NonNullable<ImportedRecord['action']>
  readonly loss?: string
  readonly similar?: 'true'
}

/** The records of an import, as its plan is. */
export const recordsQuery = (project_id: string, { id, planned_at, state }: Import, filter: RecordFilter) =>
  infiniteQueryOptions({
    queryKey: [...importKey(project_id, id), 'records', planned_at, state, filter],
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam }) =>
      (
        await request(api, listImportRecords, {
          params: { project_id, import_id: id },
          query: { ...filter, per_page: 50, ...(pageParam === 0 ? {} : { after: pageParam }) },
          signal,
        })
      ).data,
    getNextPageParam: ({ meta }) => meta.next_after,
  })

/** What can be done with an import. */
export type ImportAction =
  | { readonly kind: 'plan'; readonly settings: ImportSettings }
  | { readonly kind: 'apply'; readonly plan: string }
  | { readonly kind: 'cancel' | 'resume' | 'undo' }
  /** All of them without `recordIds`. */
  | { readonly kind: 'conflicts'; readonly use: 'source' | 'current'; readonly recordIds?: readonly number[] }

export function useImportAction(projectId: string, id: string) {
  const queryClient = useQueryClient()
  const params = { project_id: projectId, import_id: id }
  return useMutation({
    mutationFn: async (action: ImportAction): Promise<Import> => {
      switch (action.kind) {
        case 'plan':
          return (await request(api, planImport, { params, body: action.settings })).data.data
        case 'apply':
          return (await request(api, applyImport, { params, body: { plan: action.plan } })).data.data
        case 'cancel':
          return (await request(api, cancelImport, { params })).data.data
        case 'resume':
          return (await request(api, resumeImport, { params })).data.data
        case 'undo':
          return (await request(api, undoImport, { params })).data.data
        case 'conflicts': {
          const { use, recordIds: ids } = action
          const body = { use, ...(ids === undefined ? {} : { record_ids: [...ids] }) }
          return (await request(api, resolveConflicts, { params, body })).data.data
        }
      }
    },
    onSuccess: async (data, { kind }) => {
      queryClient.setQueryData(importKey(projectId, id), data)
      if (kind === 'conflicts') {
        await queryClient.invalidateQueries({ queryKey: [...importKey(projectId, id), 'records'] })
      }
    },
    onError: () => void queryClient.invalidateQueries({ queryKey: importKey(projectId, id) }),
  })
}
