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
  /** The place and name of the combination whose files they are; missing for those of the whole result. */
  combination?: { readonly place: number; readonly name: string } | undefined
}

/** The files of a result: also of a completed run, because evidence is often added later. */
export function ResultFiles({ projectId, runId, row, hasKeys = false, combination }: ResultFilesProps) {
  const mayAdd = useMay(projectId)('files:upload')
  const combinationPlace = combination?.place
  const place = useMemo<FilePlace>(
    () => ({
      kind: 'result',
      projectId,
      runId,
      resultId: row.id,
      ...(combinationPlace !== undefined && { combination: combinationPlace }),
    }),
    [projectId, runId, row.id, combinationPlace],
  )
  return (
    <FilesSection
      place={place}
      mayAdd={mayAdd}
      hasKeys={hasKeys}
      isEmpty={row.attachment_count === null}
      target={`${row.test_case_id ?? row.test_case_title}${combination === undefined ? '' : `, ${combination.name}`}`}
      renderHeading={(text) => (
        <h2 className={styles.heading}>{combination === undefined ? text : `${text} of ${combination.name}`}</h2>
      )}
    />
  )
}
