import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { queries } from './api.ts'
import { createMay, type May } from './rights.ts'

/** Returns what the user may do in a project: `may('runs:execute')`. Actions that are not allowed are not rendered. */
export function useMay(projectId: string | undefined): May {
  const { data } = useQuery(queries.projects())
  return useMemo(() => createMay(data, projectId), [data, projectId])
}
