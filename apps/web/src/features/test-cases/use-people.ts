import type { Person } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { queries } from '../../api.ts'

export interface People {
  /** Those who may own test cases, by name. */
  readonly owners: readonly Person[]
  /** The name of somebody who is or was a member. */
  readonly getPerson: (id: string) => string
}

/** The people of a project. @param isNeeded whether to read them */
export function usePeople(projectId: string, isNeeded = true): People {
  const { data } = useQuery({ ...queries.people(projectId), enabled: isNeeded })
  return useMemo(() => {
    const people = data ?? []
    const names = new Map(people.map(({ id, name }) => [id, name]))
    return {
      owners: people.filter(({ role }) => role === 'admin' || role === 'member'),
      getPerson: (id) => names.get(id) ?? '',
    }
  }, [data])
}
