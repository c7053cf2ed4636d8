import type { ResultRow } from '@caseward/client/endpoints'
import { useMemo } from 'react'

import { useMay } from '../../use-may.ts'
import type { FilePlace } from '../../uploads/upload-entry.ts'
import { FilesSection } from './files-section.tsx'
import styles from './files.module.css'

interface ResultFilesProps {
  projectId: string
  runId: string
  /** Servers of earlier versions do not count attachments in rows. */
  row: Pick<ResultRow, 'id' | 'test_case_id' | 'test_case_title'> & { attachment_count?: number | null }
  hasKeys?: boolean
}

/** The files of a result: also of a completed run, because evidence is often added later. */
export function ResultFiles({ projectId, runId, row, hasKeys = false }: ResultFilesProps) {
  const mayAdd = useMay(projectId)('files:upload')
  const place = useMemo<FilePlace>(
    () => ({ kind: 'result', projectId, runId, resultId: row.id }),
    [projectId, runId, row.id],
  )
  return (
    <FilesSection
      place={place}
      mayAdd={mayAdd}
      hasKeys={hasKeys}
      isEmpty={row.attachment_count === null}
      target={row.test_case_id ?? row.test_case_title}
      renderHeading={(text) => <h2 className={styles.heading}>{text}</h2>}
    />
  )
}
