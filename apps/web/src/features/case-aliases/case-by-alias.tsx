import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, Navigate } from 'react-router'

import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { findCaseAliases } from './alias-endpoints.ts'
import { systemNames } from './system-words.ts'

interface CaseByAliasProps {
  projectId: string
  /** What stands in the address instead of an id of the project. */
  id: string
  /** What is shown if no test case has it as an id of another tool. */
  children: ReactNode
}

/** Leads on to the test case with an id of another tool, or offers a choice if several have it. */
export function CaseByAlias({ projectId: project_id, id, children }: CaseByAliasProps) {
  const { data: found, error } = useQuery({
    queryKey: queryKeys.searchedCases(project_id, { alias: id }),
    queryFn: async ({ signal }) =>
      (await request(api, findCaseAliases, { params: { project_id }, query: { key: id }, signal })).data.data,
  })
  if (error !== null) return children
  if (found === undefined) return null
  const [first] = found
  if (first === undefined) return children
  if (new Set(found.map(({ test_case_id: caseId }) => caseId)).size === 1) {
    return <Navigate to={paths.case(project_id, first.test_case_id)} replace />
  }
  return (
    <>
      <p>{`Several test cases have the id ${id} in another tool.`}</p>
      <ul>
        {found.map(({ test_case_id: caseId, system, source }) => (
          <li key={`${system} ${source}`}>
            <Link to={paths.case(project_id, caseId)}>{caseId}</Link> {`${systemNames[system]}, ${source}`}
          </li>
        ))}
      </ul>
    </>
  )
}
