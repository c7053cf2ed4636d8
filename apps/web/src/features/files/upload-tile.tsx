import RotateCcw from 'lucide-react/icons/rotate-ccw'
import X from 'lucide-react/icons/x'
import { useCallback } from 'react'

import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import type { UploadEntry } from '../../uploads/upload-entry.ts'
import type { Uploads } from '../../uploads/uploads.ts'
import { CanvasPreview } from './canvas-preview.tsx'
import { FileIcon } from './file-icon.tsx'
import { formatBytes } from './file-words.ts'
import styles from './files.module.css'

interface UploadTileProps {
  entry: UploadEntry
  uploads: Uploads
  /** The share that is sent; undefined while it waits. */
  progress: number | undefined
}

/** A file that is not on the server yet. */
export function UploadTile({ entry, uploads, progress }: UploadTileProps) {
  const { id, name, mediaType, byteCount, problem } = entry
  const getContent = useCallback(() => uploads.getContent(id), [uploads, id])
  const percent = Math.round((progress ?? 0) * 100)
  return (
    <li className={classNames(styles.tile, styles.unsent, problem !== null && styles.refused)}>
      <div className={styles.face}>
        {mediaType.startsWith('image/') ? (
          <CanvasPreview className={styles.picture} getContent={getContent} />
        ) : (
          <FileIcon kind="other" />
        )}
        {progress !== undefined && (
          <progress className={styles.progress} value={percent} max={100} aria-label={`Sending ${name}`} />
        )}
      </div>
      <div className={styles.caption}>
        <span className={styles.name} title={name}>
          {name}
        </span>
        {problem !== null && (
          <IconButton label={`Try again: ${name}`} icon={<RotateCcw />} onClick={() => uploads.retry(id)} />
        )}
        <IconButton
          label={problem === null ? `Cancel ${name}` : `Discard ${name}`}
          icon={<X />}
          onClick={() => uploads.cancel(id)}
        />
      </div>
      <span className={styles.meta}>
        {problem !== null
          ? 'Not attached'
          : progress === undefined
            ? 'Waiting'
            : `${percent} % of ${formatBytes(byteCount)}`}
      </span>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </li>
  )
}
