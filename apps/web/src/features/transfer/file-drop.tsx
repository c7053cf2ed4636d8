import FileUp from 'lucide-react/icons/file-up'
import { useRef, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ProgressLine } from '../../ui/progress-line.tsx'
import styles from './import.module.css'

interface FileDropProps {
  /** Of the file that is chosen; null for none. */
  fileName: string | null
  isReading: boolean
  /** From 0 to 1, while it is sent. */
  progress?: number | undefined
  /** What can be dropped, in place of a CSV or Excel file. */
  kinds?: { readonly text: string; readonly accept: string }
  onChoose: (file: File) => void
}

const TABLES = {
  text: 'Drop a CSV or Excel file here, or',
  accept: '.csv,.tsv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Takes a file that is dropped on it, or chosen with its button. */
export function FileDrop({ fileName, isReading, progress, kinds = TABLES, onChoose }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  return (
    // Everything that dropping does is possible with the button, too.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classNames(styles.drop, isOver && styles.dropOver, fileName !== null && styles.dropSmall)}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        const dropped = event.dataTransfer.files.item(0)
        if (dropped !== null) onChoose(dropped)
      }}
    >
      {isReading && <ProgressLine label="Reading the file" value={progress} />}
      <FileUp className={styles.dropIcon} />
      <p className={styles.dropText}>
        {fileName === null ? kinds.text : <span className={styles.fileName}>{fileName}</span>}
      </p>
      <Button
        size="form"
        variant={fileName === null ? 'primary' : 'default'}
        isBusy={isReading}
        onClick={() => input.current?.click()}
      >
        {fileName === null ? 'Choose a file' : 'Choose another file'}
      </Button>
      <input
        ref={input}
        className={styles.fileInput}
        type="file"
        tabIndex={-1}
        aria-label="File with test cases"
        accept={kinds.accept}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.item(0) ?? null
          // The same file can be chosen again after it was corrected.
          currentTarget.value = ''
          if (chosen !== null) onChoose(chosen)
        }}
      />
    </div>
  )
}
