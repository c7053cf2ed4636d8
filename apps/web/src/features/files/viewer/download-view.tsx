import Download from 'lucide-react/icons/download'

import { Button } from '../../../ui/button.tsx'
import { downloadFile } from '../download-file.ts'
import { FileIcon } from '../file-icon.tsx'
import { formatBytes } from '../file-words.ts'
import type { OpenableFile } from '../shown-file.ts'
import styles from './viewer.module.css'

interface DownloadViewProps {
  file: OpenableFile
  reason?: string
}

/** A file that a browser does not show. */
export const DownloadView = ({ file, reason = 'This kind of file is not shown here.' }: DownloadViewProps) => (
  <div className={styles.message}>
    <FileIcon kind={file.kind} />
    <p>{reason}</p>
    <Button variant="primary" size="form" icon={<Download />} onClick={() => downloadFile(file)}>
      {`Download, ${formatBytes(file.byte_count)}`}
    </Button>
  </div>
)
