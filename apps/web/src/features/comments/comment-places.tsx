import type { Run } from '@caseward/client/endpoints'
import { useMemo } from 'react'

import { Dialog } from '../../ui/dialog.tsx'
import type { CommentPlace } from './comment-queries.ts'
import { CommentsSection } from './comments-section.tsx'
import styles from './comments.module.css'

interface CaseCommentsProps {
  projectId: string
  caseId: string
}

const renderHeading = (text: string) => <h2 className={styles.heading}>{text}</h2>

/** The comments on a test case. */
export function CaseComments({ projectId, caseId }: CaseCommentsProps) {
  const place = useMemo<CommentPlace>(() => ({ kind: 'case', projectId, caseId }), [projectId, caseId])
  return <CommentsSection place={place} renderHeading={renderHeading} />
}

interface ResultCommentsProps {
  projectId: string
  runId: string
  resultId: string
  /** Whether its key acts on the page. */
  hasKeys?: boolean
}

/** The comments on a result: also of a completed run. */
export function ResultComments({ projectId, runId, resultId, hasKeys = false }: ResultCommentsProps) {
  const place = useMemo<CommentPlace>(
    () => ({ kind: 'result', projectId, runId, resultId }),
    [projectId, runId, resultId],
  )
  return <CommentsSection place={place} renderHeading={renderHeading} hasKeys={hasKeys} />
}

interface RunCommentsProps {
  run: Pick<Run, 'id' | 'project_id'>
  onClose: () => void
}

/** The comments on a run itself. */
export function RunComments({ run: { id: runId, project_id: projectId }, onClose }: RunCommentsProps) {
  const place = useMemo<CommentPlace>(() => ({ kind: 'run', projectId, runId }), [projectId, runId])
  return (
    <Dialog isOpen onClose={onClose} title="Comments on the run" size="large">
      <CommentsSection
        place={place}
        empty="Nobody has commented on this run. Comments on results are beside their notes."
        renderHeading={(text) => <h3 className={styles.heading}>{text}</h3>}
      />
    </Dialog>
  )
}
