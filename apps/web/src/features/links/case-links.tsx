import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { describeFailure } from '../../problems.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import styles from '../test-cases/case-editor.module.css'
import { caseLinks, createCasePlace } from './link-places.ts'
import { LinkList } from './link-list.tsx'

interface CaseLinksProps {
  projectId: string
  caseId: string
  mayChange: boolean
}

/** The links of a test case, such as the requirements that it covers. */
export function CaseLinks({ projectId, caseId, mayChange }: CaseLinksProps) {
  const { data, error, refetch } = useQuery(caseLinks(projectId, caseId))
  const place = useMemo(() => createCasePlace(projectId, caseId), [projectId, caseId])
  if (data !== undefined) {
    const heading = <h2 className={styles.heading}>Links</h2>
    return <LinkList place={place} links={data} mayChange={mayChange} heading={heading} />
  }
  // They are below everything else: nothing moves when they come.
  if (error === null) return null
  return (
    <ErrorMessage title="The links could not be loaded." onRetry={() => void refetch()}>
      {describeFailure(error, { noun: 'test case' }).message}
    </ErrorMessage>
  )
}
