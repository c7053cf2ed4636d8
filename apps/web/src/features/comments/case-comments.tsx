import { useMemo } from 'react'

import type { CommentPlace } from './comment-queries.ts'
import { CommentsSection } from './comments-section.tsx'
import styles from './comments.module.css'

interface CaseCommentsProps {
  projectId: string
  caseId: string
}

/** The comments on a test case. */
export function CaseComments({ projectId, caseId }: CaseCommentsProps) {
  const place = useMemo<CommentPlace>(() => ({ kind: 'case', projectId, caseId }), [projectId, caseId])
  return <CommentsSection place={place} renderHeading={(text) => <h2 className={styles.heading}>{text}</h2>} />
}
