import type { TestCase } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { useCaseActions } from './use-case-actions.ts'

export interface ArchivedNoticeProps {
  projectId: string
  testCase: Pick<TestCase, 'id' | 'archived_at' | 'merged_into'>
  mayEdit: boolean
}

/** Says that a test case is archived, and puts it back. */
export function ArchivedNotice({ projectId, testCase, mayEdit }: ArchivedNoticeProps) {
  const actions = useCaseActions(projectId)
  const { id, archived_at: at, merged_into: target } = testCase
  const time = at !== null && <Time at={at} />
  return (
    <Banner actions={mayEdit && <Button onClick={() => void actions.archive([id], false)}>Restore</Button>}>
      {target === undefined ? (
        <>
          <strong>Archived</strong> {time}: in no list and no new run. Results of CI are still stored.
        </>
      ) : (
        <>
          <strong>Merged</strong> {time} into <Link to={paths.case(projectId, target)}>{target}</Link>, which has its
          automation keys, links, files and comments, and gets its results of CI.
        </>
      )}
    </Banner>
  )
}

export interface MergedNoticeProps {
  projectId: string
  caseId: string
  mergedId: string
}

/** Says on the page of a test case that the address was that of one which was merged into it, until that is undone. */
export function MergedNotice({ projectId, caseId, mergedId }: MergedNoticeProps) {
  const { data } = useQuery(queries.case(projectId, mergedId))
  if (data?.merged_into !== caseId) return null
  return (
    <Banner>
      <strong>{mergedId}</strong> was merged into this test case.{' '}
      <Link to={paths.case(projectId, mergedId)} state={{ staysOpen: true }}>
        Open {mergedId}
      </Link>
    </Banner>
  )
}
