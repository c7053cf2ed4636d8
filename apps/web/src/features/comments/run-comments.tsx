import type { Run } from '@caseward/client/endpoints'
import { useMemo } from 'react'

import { Dialog } from '../../ui/dialog.tsx'
import type { CommentPlace } from './comment-queries.ts'
import { CommentsSection } from './comments-section.tsx'
import styles from './comments.module.css'

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
