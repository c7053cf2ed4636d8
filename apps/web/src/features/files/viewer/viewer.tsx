import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Download from 'lucide-react/icons/download'
import Info from 'lucide-react/icons/info'
import LinkIcon from 'lucide-react/icons/link'
import X from 'lucide-react/icons/x'
import { type ReactNode, type RefObject, useState } from 'react'

import { keys } from '../../../keys.ts'
import { paths } from '../../../paths.ts'
import { copyText } from '../../../ui/copy-button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { showToast } from '../../../ui/toast.ts'
import { downloadFile } from '../download-file.ts'
import { describePart } from '../file-words.ts'
import type { OpenableFile } from '../shown-file.ts'
import { CompareView } from './compare-view.tsx'
import { DownloadView } from './download-view.tsx'
import { FileDetails } from './file-details.tsx'
import { findComparison } from './find-comparison.ts'
import { MediaView } from './media-view.tsx'
import { PictureView } from './picture-view.tsx'
import { TextView } from './text-view.tsx'
import { TraceView } from './trace-view.tsx'
import { useViewerKeys } from './use-viewer-keys.ts'
import styles from './viewer.module.css'

export interface ViewerProps {
  projectId: string
  /** All files of the place, through which the arrow keys lead. */
  files: readonly OpenableFile[]
  openId: string
  onOpen: (id: string) => void
  /** Missing on the page of a file. */
  onClose?: () => void
  /** Above the picture, in place of the name: the heading of a page. */
  heading?: ReactNode
}

/** Shows one of several files. */
export function Viewer(props: ViewerProps & { stage?: RefObject<HTMLDivElement | null> }) {
  const { projectId, files, openId, onOpen, onClose, stage, heading } = props
  const [hasDetails, setHasDetails] = useState(false)
  const index = files.findIndex(({ id }) => id === openId)
  const file = files[index]
  const move = (by: number) => {
    const next = files[(index + by + files.length) % files.length]
    if (next !== undefined) onOpen(next.id)
  }
  async function copyLink(): Promise<void> {
    const isCopied = await copyText(location.origin + paths.file(projectId, openId)).then(
      () => true,
      () => false,
    )
    showToast({ message: isCopied ? 'Link copied' : 'The browser does not allow to copy the link.' })
  }
  useViewerKeys({
    ...(files.length > 1 ? { nextFile: () => move(1), previousFile: () => move(-1) } : {}),
    ...(file === undefined ? {} : { download: () => downloadFile(file) }),
    copyLink: () => void copyLink(),
    fileDetails: () => setHasDetails(!hasDetails),
  })
  const part = file === undefined ? null : describePart(file)
  return (
    <div className={styles.viewer}>
      <header className={styles.head}>
        <div className={styles.title}>
          {heading ?? (
            <h2 className={styles.name} title={file?.name}>
              {file?.name ?? 'This file was deleted'}
            </h2>
          )}
          {part !== null && <span className={styles.part}>{part}</span>}
        </div>
        {files.length > 1 && (
          <div className={styles.moves}>
            <IconButton
              label="Previous file"
              shortcut={keys.previousFile.bindings[0]}
              icon={<ChevronLeft />}
              onClick={() => move(-1)}
            />
            <span className={styles.place} role="status">{`${index + 1} of ${files.length}`}</span>
            <IconButton
              label="Next file"
              shortcut={keys.nextFile.bindings[0]}
              icon={<ChevronRight />}
              onClick={() => move(1)}
            />
          </div>
        )}
        <div className={styles.actions}>
          {file !== undefined && (
            <IconButton
              label="Download"
              shortcut={keys.download.bindings[0]}
              icon={<Download />}
              onClick={() => downloadFile(file)}
            />
          )}
          <IconButton
            label="Copy the link"
            shortcut={keys.copyLink.bindings[0]}
            icon={<LinkIcon />}
            onClick={() => void copyLink()}
          />
          <IconButton
            label="Details"
            shortcut={keys.fileDetails.bindings[0]}
            icon={<Info />}
            aria-pressed={hasDetails}
            onClick={() => setHasDetails(!hasDetails)}
          />
        </div>
        {onClose !== undefined && (
          <IconButton className={styles.close} label="Close" shortcut="Escape" icon={<X />} onClick={onClose} />
        )}
      </header>
      <div className={styles.columns}>
        <div ref={stage} className={styles.stage} tabIndex={-1}>
          {file !== undefined && <Content key={file.id} projectId={projectId} file={file} files={files} />}
        </div>
        {hasDetails && file !== undefined && <FileDetails projectId={projectId} file={file} />}
      </div>
    </div>
  )
}

interface ContentProps {
  projectId: string
  file: OpenableFile
  files: readonly OpenableFile[]
}

function Content({ projectId, file, files }: ContentProps) {
  const [isComparing, setIsComparing] = useState(true)
  const comparison = findComparison(file, files)
  if (comparison !== null && isComparing) {
    return <CompareView comparison={comparison} onLeave={() => setIsComparing(false)} />
  }
  switch (file.kind) {
    case 'image':
      return <PictureView file={file} {...(comparison === null ? {} : { onCompare: () => setIsComparing(true) })} />
    case 'video':
    case 'audio':
      return <MediaView file={file} />
    case 'text':
      return <TextView projectId={projectId} file={file} />
    case 'trace':
      return <TraceView file={file} />
    case 'other':
      return <DownloadView file={file} />
  }
}
