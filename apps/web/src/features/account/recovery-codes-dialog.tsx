import Download from 'lucide-react/icons/download'
import Printer from 'lucide-react/icons/printer'
import { useRef, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { downloadFile } from '../transfer/download-file.ts'
import styles from './second-factors.module.css'

/** Shows recovery codes, and stays open until the user says that they are saved. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [isSaved, setIsSaved] = useState(false)
  const [isReminded, setIsReminded] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const close = () => {
    setIsReminded(!isSaved)
    if (isSaved) onClose()
  }
  const text = codes.join('\n')
  return (
    <Dialog
      isOpen
      onClose={close}
      title="Save your recovery codes"
      description={`Each of these codes for ${location.host} signs you in once if you lose your device. They are shown only now. Keep them where you find them without it.`}
      initialFocus={list}
      footer={
        <Button size="form" variant="primary" onClick={close}>
          Done
        </Button>
      }
    >
      <div className={styles.step}>
        <ol className={styles.codes} ref={list} tabIndex={-1} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div className={styles.actions}>
          <CopyButton text={text} label="Copy" />
          <Button
            icon={<Download />}
            onClick={() => downloadFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'caseward-recovery-codes.txt')}
          >
            Download
          </Button>
          <Button icon={<Printer />} onClick={() => window.print()}>
            Print
          </Button>
        </div>
        <div className={styles.actions}>
          <Checkbox label="I have saved the codes" checked={isSaved} onChange={setIsSaved} />
        </div>
        <p role="alert" className={styles.reminder}>
          {isReminded && !isSaved && 'Save the codes first, and tick the box: they are not shown again.'}
        </p>
      </div>
    </Dialog>
  )
}
