import {
  bulkUpdateTestCases,
  type CreateFieldBody,
  type EarlierTestCase,
  type Field,
  listTestCaseRows,
  type UpdateFieldBody,
} from '@caseward/client/endpoints'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { api } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import { undoStack } from '../../undo/use-undo.ts'
import { createField, deleteField, restoreField, retireField, updateField } from './field-endpoints.ts'

const ROWS_PER_PAGE = 2000
/** The server changes so many test cases with one request. */
const MAX_BATCH = 10_000

export type FieldActions = ReturnType<typeof createFieldActions>

/** What the admins of a project do with its fields. */
export function useFieldActions(project_id: string): FieldActions {
  const queryClient = useQueryClient()
  return useMemo(
    () =>
      createFieldActions(project_id, () => {
        refreshQueries(queryClient, queryKeys.projects())
        refreshQueries(queryClient, queryKeys.fields(project_id))
        refreshQueries(queryClient, queryKeys.cases(project_id))
      }),
    [queryClient, project_id],
  )
}

function createFieldActions(project_id: string, refresh: () => void) {
  const params = { project_id }
  const withRefresh = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } finally {
      refresh()
    }
  }
  const restore = async (before: readonly EarlierTestCase[]) => {
    for (let start = 0; start < before.length; start += MAX_BATCH) {
      const body = { restore: before.slice(start, start + MAX_BATCH) }
      await request(api, bulkUpdateTestCases, { params, body })
    }
    refresh()
  }
  return {
    create: async (body: CreateFieldBody): Promise<Field> =>
      (await withRefresh(request(api, createField, { params, body }))).data.data,
    update: async (field_id: string, body: UpdateFieldBody): Promise<Field> =>
      (await withRefresh(request(api, updateField, { params: { project_id, field_id }, body }))).data.data,
    restore: async (field_id: string) =>
      void (await withRefresh(request(api, restoreField, { params: { project_id, field_id } }))),
    async retire({ id, name }: Field) {
      await withRefresh(request(api, retireField, { params: { project_id, field_id: id } }))
      const undo = async () =>
        void (await withRefresh(request(api, restoreField, { params: { project_id, field_id: id } })))
      undoStack.push({ words: `“${name}” retired`, undo })
    },
    remove: async (field_id: string) =>
      void (await withRefresh(request(api, deleteField, { params: { project_id, field_id } }))),
    /** Gives the test cases without a value that of the default. It can be undone. */
    async setOnExisting({ key, name, default: value }: Field) {
      const ids = await listWithoutValue(project_id, key)
      const before: EarlierTestCase[] = []
      for (let start = 0; start < ids.length; start += MAX_BATCH) {
        const body = { test_case_ids: ids.slice(start, start + MAX_BATCH), set: { fields: { [key]: value } } }
        before.push(...(await request(api, bulkUpdateTestCases, { params, body })).data.data.before)
      }
      refresh()
      if (before.length === 0) return
      const words = `${name} of ${formatNumberOf(before.length, 'test case')} set`
      undoStack.push({ words, undo: () => restore(before) })
    },
  }
}

const withoutValue = (key: string) => ({ fields: 'row', [`field.${key}`]: 'none' }) as const

async function listWithoutValue(project_id: string, key: string): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | null | undefined; after !== null;) {
    const query = { ...withoutValue(key), per_page: ROWS_PER_PAGE, ...(after === undefined ? {} : { after }) }
    const { data, meta } = (await request(api, listTestCaseRows, { params: { project_id }, query })).data
    ids.push(...data.map(({ id }) => id))
    after = meta.next_after
  }
  return ids
}

/** Counts the test cases that have no value of a field; undefined while it is not known. */
export function useCountWithoutValue(project_id: string, field: Field | null): number | undefined {
  const { data } = useQuery({
    queryKey: [...queryKeys.fields(project_id), 'without-value', field?.key],
    queryFn: async ({ signal }) => {
      const query = { ...withoutValue(field?.key ?? ''), per_page: 1 }
      return (await request(api, listTestCaseRows, { params: { project_id }, query, signal })).data.meta.total
    },
    enabled: field !== null,
  })
  return data
}
