import { useQuery } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import styles from '../test-cases/case-editor.module.css'
import { Fact } from '../test-cases/fact.tsx'
import { listCaseAliases } from './alias-endpoints.ts'
import { systemNames } from './system-words.ts'

/** The ids of other tools by which results find a test case; nothing for one without any. */
export function CaseAliases({ projectId: project_id, caseId: test_case_id }: { projectId: string; caseId: string }) {
  const { data = [] } = useQuery({
    queryKey: [...queryKeys.searchedCases(project_id, { aliasesOf: test_case_id })],
    queryFn: async ({ signal }) =>
      (await request(api, listCaseAliases, { params: { project_id, test_case_id }, signal })).data.data,
  })
  if (data.length === 0) return null
  return (
    <dl className={styles.facts}>
      <Fact name={data.length === 1 ? 'Id in another tool' : 'Ids in other tools'}>
        {data.map(({ system, source, key }) => (
          <span key={`${system} ${source} ${key}`}>
            <code className={styles.key}>{key}</code> {`${systemNames[system]}, ${source}`}
          </span>
        ))}
      </Fact>
    </dl>
  )
}
