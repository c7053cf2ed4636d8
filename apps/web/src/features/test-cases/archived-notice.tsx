import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { useCaseActions } from './use-case-actions.ts'

export interface ArchivedNoticeProps {
  projectId: string
  caseId: string
  at: string
  mayEdit: boolean
}

/** Says that a test case is archived, and puts it back. */
export function ArchivedNotice({ projectId, caseId, at, mayEdit }: ArchivedNoticeProps) {
  const actions = useCaseActions(projectId)
  return (
    <Banner actions={mayEdit && <Button onClick={() => void actions.archive([caseId], false)}>Restore</Button>}>
      <strong>Archived</strong> <Time at={at} />: in no list and no new run. Results of CI are still stored.
    </Banner>
  )
}
