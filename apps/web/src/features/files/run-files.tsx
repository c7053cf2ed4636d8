import type { Run } from '@caseward/client/endpoints'
import { useMemo } from 'react'

import { Dialog } from '../../ui/dialog.tsx'
import { useMay } from '../../use-may.ts'
import type { FilePlace } from '../../uploads/upload-entry.ts'
import { FilesSection } from './files-section.tsx'
import styles from './files.module.css'

interface RunFilesProps {
  run: Pick<Run, 'id' | 'name' | 'project_id'>
  onClose: () => void
}

/** The files of a run itself, such as the log of its build. */
export function RunFiles({ run: { id: runId, name, project_id: projectId }, onClose }: RunFilesProps) {
  const mayAdd = useMay(projectId)('files:upload')
  const place = useMemo<FilePlace>(() => ({ kind: 'run', projectId, runId }), [projectId, runId])
  return (
    <Dialog isOpen onClose={onClose} title="Files of the run" size="large">
      <div data-takes-files>
        <FilesSection
          place={place}
          mayAdd={mayAdd}
          target={name}
          empty="Nobody has attached a file to this run. Files of results are beside their notes."
          renderHeading={(text) => <h3 className={styles.heading}>{text}</h3>}
        />
      </div>
    </Dialog>
  )
}
