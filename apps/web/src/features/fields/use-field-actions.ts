import {
  type BulkUpdateBody,
  bulkUpdateTestCases,
  type CreateFieldBody,
  type EarlierTestCase,
  type Field,
  listTestCaseRows,
  type SetInstanceFieldBody,
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
import { getOptionLabel } from './field-words.ts'
import {
  createField,
  deleteField,
  mergeFieldOptions,
  restoreField,
  retireField,
  updateField,
} from './field-endpoints.ts'
import { setInstanceField } from './instance-field-endpoints.ts'

const ROWS_PER_PAGE = 2000
/** The server changes so many test cases with one request. */
const MAX_BATCH = 10_000

/** What an admin does with the fields of a project, or of the instance. */
export interface FieldActions {
  create: (body: CreateFieldBody) => Promise<Field>
  update: (id: string, body: UpdateFieldBody) => Promise<Field>
  /** @param position from 1 */
  move: (field: Field, position: number) => Promise<unknown>
  /** It can be undone. */
  retire: (field: Field) => Promise<void>
  restore: (field: Field) => Promise<void>
  remove: (id: string) => Promise<void>
}

export type ProjectFieldActions = ReturnType<typeof createFieldActions>

/** What the admins of a project do with its fields. */
export function useFieldActions(project_id: string): ProjectFieldActions {
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
  /** Changes test cases in the same way. @returns what they were */
  const change = async (ids: readonly string[], changes: Omit<BulkUpdateBody, 'test_case_ids' | 'restore'>) => {
    const before: EarlierTestCase[] = []
    for (let start = 0; start < ids.length; start += MAX_BATCH) {
      const body = { test_case_ids: ids.slice(start, start + MAX_BATCH), ...changes }
      before.push(...(await request(api, bulkUpdateTestCases, { params, body })).data.data.before)
    }
    refresh()
    return before
  }
  const setUse = async (field_id: string, body: SetInstanceFieldBody) =>
    void (await withRefresh(request(api, setInstanceField, { params: { project_id, field_id }, body })))
  const bringBack = async ({ id, scope }: Field) => {
    if (scope === 'instance') await setUse(id, { is_used: true })
    else await withRefresh(request(api, restoreField, { params: { project_id, field_id: id } }))
  }
  return {
    setUse,
    create: async (body: CreateFieldBody): Promise<Field> =>
      (await withRefresh(request(api, createField, { params, body }))).data.data,
    update: async (field_id: string, body: UpdateFieldBody): Promise<Field> =>
      (await withRefresh(request(api, updateField, { params: { project_id, field_id }, body }))).data.data,
    async move({ id, scope }: Field, position: number) {
      if (scope === 'instance') await setUse(id, { is_used: true, position })
      else await withRefresh(request(api, updateField, { params: { project_id, field_id: id }, body: { position } }))
    },
    restore: bringBack,
    /** One of the instance is switched off, and stays in other projects. */
    async retire(field: Field) {
      const { id, name, scope } = field
      if (scope === 'instance') await setUse(id, { is_used: false })
      else await withRefresh(request(api, retireField, { params: { project_id, field_id: id } }))
      undoStack.push({
        words: `“${name}” ${scope === 'instance' ? 'switched off' : 'retired'}`,
        undo: () => bringBack(field),
      })
    },
    remove: async (field_id: string) =>
      void (await withRefresh(request(api, deleteField, { params: { project_id, field_id } }))),
    /** Puts an option in the place of another one in all test cases, and retires that. It can be undone. */
    async mergeOptions(field: Field, from: string, into: string) {
      const { id, options } = field
      const ofField = { project_id, field_id: id }
      const before: EarlierTestCase[] = []
      // The server changes many at a time, and retires the option with the first of them.
      for (let remaining = 1; remaining > 0;) {
        const { data } = await withRefresh(request(api, mergeFieldOptions, { params: ofField, body: { from, into } }))
        before.push(...data.data.before)
        remaining = data.data.remaining
      }
      const bringBackOption = async () => {
        const body = { options: options ?? [], default: field.default }
        await withRefresh(request(api, updateField, { params: ofField, body }))
      }
      const [first, second] = [from, into].map((option) => getOptionLabel(field, option))
      const undo = async () => {
        await bringBackOption()
        await restore(before)
      }
      undoStack.push({
        words: `“${first}” merged into “${second}” in ${formatNumberOf(before.length, 'test case')}`,
        undo,
      })
    },
    /** Gives the test cases without a value that of the default. It can be undone. */
    async setOnExisting({ key, name, default: value }: Field) {
      const before = await change(await listIds(project_id, key, 'none'), { set: { fields: { [key]: value } } })
      if (before.length === 0) return
      const words = `${name} of ${formatNumberOf(before.length, 'test case')} set`
      undoStack.push({ words, undo: () => restore(before) })
    },
  }
}

const withValue = (key: string, value: string) => ({ fields: 'row', [`field.${key}`]: value }) as const

/** Lists the test cases that have a value of a field, or `none`. */
async function listIds(project_id: string, key: string, value: string): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | null | undefined; after !== null;) {
    const query = { ...withValue(key, value), per_page: ROWS_PER_PAGE, ...(after === undefined ? {} : { after }) }
    const { data, meta } = (await request(api, listTestCaseRows, { params: { project_id }, query })).data
    ids.push(...data.map(({ id }) => id))
    after = meta.next_after
  }
  return ids
}

/** Counts the test cases that have no value of a field; undefined while it is not known, and outside of a project. */
export function useCountWithoutValue(project_id: string | undefined, field: Field | null): number | undefined {
  const { data } = useQuery({
    queryKey: [...queryKeys.fields(project_id ?? ''), 'without-value', field?.key],
    queryFn: async ({ signal }) => {
      const params = { project_id: project_id ?? '' }
      const query = { ...withValue(field?.key ?? '', 'none'), per_page: 1 }
      return (await request(api, listTestCaseRows, { params, query, signal })).data.meta.total
    },
    enabled: project_id !== undefined && field?.subject === 'case',
  })
  return data
}
