import FileUp from 'lucide-react/icons/file-up'
import { useRef, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ProgressLine } from '../../ui/progress-line.tsx'
import styles from './import.module.css'

interface FileDropProps {
  /** The file that is chosen. */
  file: File | null
  isReading: boolean
  onChoose: (file: File) => void
}

/** Takes a file that is dropped on it, or chosen with its button. */
export function FileDrop({ file, isReading, onChoose }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  return (
    // Everything that dropping does is possible with the button, too.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classNames(styles.drop, isOver && styles.dropOver, file !== null && styles.dropSmall)}
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
      {isReading && <ProgressLine label="Reading the file" />}
      <FileUp className={styles.dropIcon} />
      <p className={styles.dropText}>
        {file === null ? 'Drop a CSV or Excel file here, or' : <span className={styles.fileName}>{file.name}</span>}
      </p>
      <Button
        size="form"
        variant={file === null ? 'primary' : 'default'}
        isBusy={isReading}
        onClick={() => input.current?.click()}
      >
        {file === null ? 'Choose a file' : 'Choose another file'}
      </Button>
      <input
        ref={input}
        className={styles.fileInput}
        type="file"
        tabIndex={-1}
        aria-label="File with test cases"
        accept=".csv,.tsv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
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
