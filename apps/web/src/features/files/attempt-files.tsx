import type { Attachment } from '@caseward/client/endpoints'

import { useHiddenIds } from '../../undo/use-undo.ts'
import { FileTile } from './file-tile.tsx'
import styles from './files.module.css'
import { LazyViewer } from './lazy-viewer.ts'
import { toShownFile } from './shown-file.ts'
import { useFileActions } from './use-file-actions.ts'
import { type TestPlace, viewFile } from './viewed-file.ts'

interface AttemptFilesProps {
  place: TestPlace
  files: readonly Attachment[]
}

/** The files of an attempt, such as its screenshots. The viewer leads through those of all attempts. */
export function AttemptFiles({ place, files }: AttemptFilesProps) {
  const hiddenIds = useHiddenIds()
  const actions = useFileActions(place)
  const shown = files.filter(({ id }) => !hiddenIds.has(id)).map(toShownFile)
  if (shown.length === 0) return null
  return (
    <ul className={styles.tiles} aria-label="Files">
      {shown.map((file) => (
        <FileTile
          key={file.id}
          // The attempt is above.
          file={{ ...file, attempt: null }}
          actions={actions}
          onOpen={() => viewFile({ place, id: file.id })}
          onApproach={LazyViewer.preload}
        />
      ))}
    </ul>
  )
}
