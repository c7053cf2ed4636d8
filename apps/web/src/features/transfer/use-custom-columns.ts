import { type CustomColumns, noCustomColumns } from '@caseward/case-files/custom-columns'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { queries } from '../../api.ts'
import { useFields } from '../fields/use-fields.ts'

/** The custom fields that a file can have columns for. */
export function useCustomColumns(projectId: string): CustomColumns {
  const { active } = useFields(projectId)
  const hasPeople = active.some(({ type }) => type === 'user')
  const { data: people } = useQuery({ ...queries.people(projectId), enabled: hasPeople })
  return useMemo(() => {
    if (active.length === 0) return noCustomColumns
    const fields = active.map(({ key, name, type, options }) => ({ key, name, type, options }))
    return { fields, people: (people ?? []).map(({ id, name }) => ({ id, name })) }
  }, [active, people])
}
