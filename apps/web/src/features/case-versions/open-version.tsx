import type { CaseVersionEntry, Folder } from '@caseward/client/endpoints'
import { useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import conflictStyles from '../test-cases/case-conflict.module.css'
import { VersionDiff } from './version-diff.tsx'
import { VersionFrame } from './version-frame.tsx'
import type { OpenedVersion } from './version-list.tsx'
import { VersionText } from './version-text.tsx'
import { versionOf } from './version-queries.ts'
import { describeSource } from './version-words.ts'

interface OpenVersionProps {
  projectId: string
  caseId: string
  folders: readonly Folder[]
  getPerson: (id: string) => string
  opened: OpenedVersion<CaseVersionEntry>
  /** Missing if it cannot be restored. */
  onRestore: (() => Promise<void>) | undefined
}

/** One version of a test case, beside others. */
export function OpenVersion(props: OpenVersionProps) {
  const { projectId, caseId, folders, getPerson, onRestore } = props
  const { entry, entries, author, onOpen } = props.opened
  const [isRestoring, setIsRestoring] = useState(false)
  return (
    <VersionFrame
      {...{ entry, entries, onOpen }}
      getQuery={(version) => versionOf(projectId, caseId, version)}
      about={
        <>
          <p className={conflictStyles.hint}>
            {[author, describeSource(entry)].filter((text) => text !== '').join(', ')}{' '}
            {entry.changed_at !== null && <Time at={entry.changed_at} isInText />}
          </p>
          {entry.summary !== null && <p>{entry.summary}</p>}
        </>
      }
      renderDiff={(before, after) => <VersionDiff {...{ before, after }} context={{ folders, getPerson }} />}
      renderText={(version) => <VersionText {...{ version, folders, getPerson }} />}
      renderActions={() =>
        onRestore !== undefined && (
          <div className={conflictStyles.actions}>
            <Button
              size="form"
              disabled={isRestoring}
              onClick={() => {
                setIsRestoring(true)
                void onRestore().finally(() => setIsRestoring(false))
              }}
            >
              Restore version {entry.version}
            </Button>
          </div>
        )
      }
    />
  )
}
