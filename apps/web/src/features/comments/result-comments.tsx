import { useMemo } from 'react'

import type { CommentPlace } from './comment-queries.ts'
import { CommentsSection } from './comments-section.tsx'
import styles from './comments.module.css'

interface ResultCommentsProps {
  projectId: string
  runId: string
  resultId: string
}

/** The comments on a result: also of a completed run. */
export function ResultComments({ projectId, runId, resultId }: ResultCommentsProps) {
  const place = useMemo<CommentPlace>(
    () => ({ kind: 'result', projectId, runId, resultId }),
    [projectId, runId, resultId],
  )
  return <CommentsSection place={place} renderHeading={(text) => <h2 className={styles.heading}>{text}</h2>} />
}
