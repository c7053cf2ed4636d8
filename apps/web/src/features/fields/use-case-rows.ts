import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo } from 'react'

import { queries } from '../../api.ts'
import { caseColumns } from '../../queries.ts'
import { queryKeys } from '../../query-keys.ts'
import { usePreference } from '../../use-preferences.ts'
import { getFilteredKeys } from './field-filter.ts'
import { isListed } from './field-words.ts'
import { useFields } from './use-fields.ts'

interface ShownFields {
  /** Filters by custom fields. */
  readonly field: readonly string[]
  /** The key of the field by which a list is sorted; it has columns then, too. */
  readonly by?: string
}

const none: readonly string[] = []

/** Reads the test cases of a project with the custom fields that are shown, filtered or sorted by, and with no others. */
export function useCaseRows(projectId: string, { field, by }: ShownFields) {
  const queryClient = useQueryClient()
  const fields = useFields(projectId)
  const chosen = usePreference('fieldColumns')[projectId] ?? none
  const hasColumns = by !== undefined
  const shownFields = useMemo(
    () => (hasColumns ? fields.active.filter((item) => chosen.includes(item.key) && isListed(item)) : []),
    [hasColumns, fields, chosen],
  )
  const wanted = [
    ...new Set([...getFilteredKeys(field), by ?? '', ...shownFields.map(({ key }) => key)].filter(Boolean)),
  ]
  const columns = wanted
    .filter((key) => fields.byKey.has(key))
    .toSorted()
    .join(',')
  // The server does not know what a field is called that was deleted, and would refuse to list anything.
  const isWaiting = fields.isLoading && (wanted.length > 0 || (hasColumns && chosen.length > 0))
  useLayoutEffect(() => {
    if (!isWaiting) caseColumns.set(projectId, columns === '' ? none : columns.split(','))
  }, [projectId, columns, isWaiting])
  const index = useQuery({ ...queries.cases(projectId), enabled: !isWaiting })
  const isLoaded = index.data?.isComplete === true
  const isMissing = isLoaded && columns.split(',').some((key) => key !== '' && !index.data?.columns?.includes(key))
  useEffect(() => {
    if (isMissing) void queryClient.invalidateQueries({ queryKey: queryKeys.cases(projectId) })
  }, [queryClient, projectId, columns, isMissing])
  return {
    index,
    /** Whether all rows have arrived, with these fields. */
    isComplete: isLoaded && !isMissing,
    fields,
    /** The fields that have a column, in their order. */
    shownFields,
  }
}
