import { useMemo } from 'react'

import type { FilePlace } from '../../uploads/upload-entry.ts'
import { FilesSection } from './files-section.tsx'
import styles from './files.module.css'

interface CaseFilesProps {
  projectId: string
  caseId: string
  mayAdd: boolean
}

/** The files of a test case, such as data that a test needs. */
export function CaseFiles({ projectId, caseId, mayAdd }: CaseFilesProps) {
  const place = useMemo<FilePlace>(() => ({ kind: 'case', projectId, caseId }), [projectId, caseId])
  return (
    <FilesSection
      place={place}
      mayAdd={mayAdd}
      target={caseId}
      renderHeading={(text) => <h2 className={styles.heading}>{text}</h2>}
    />
  )
}
