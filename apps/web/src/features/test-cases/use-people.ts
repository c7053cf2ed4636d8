import type { Person } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'

import { queries } from '../../api.ts'

export interface People {
  /** Those who may own test cases, by name. */
  readonly owners: readonly Person[]
  /** The name of somebody who is or was a member. */
  readonly getPerson: (id: string) => string
}

/** The people of a project. */
export function usePeople(projectId: string): People {
  const { data: people = [] } = useQuery(queries.people(projectId))
  return {
    owners: people.filter(({ role }) => role === 'admin' || role === 'member'),
    getPerson: (id) => people.find((person) => person.id === id)?.name ?? 'Former member',
  }
}
