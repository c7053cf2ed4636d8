import { useEffect, useRef, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { RequestFailed } from '../../request-failed.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import { showToast } from '../../ui/toast.ts'
import type { ExportFormat, ExportOptions, ExportProgress, ExportTable } from './export-table.ts'
import { FileError } from './file-error.ts'

/** An export in the background, while the page stays usable. */
export interface Export {
  /** From 0 to 1; null when nothing is exported. */
  readonly progress: number | null
  /** Why the last export failed, as sentences. */
  readonly failure: string | null
  /** Whether everything that can be exported has arrived. */
  readonly isReady: boolean
  start(format: ExportFormat, options?: ExportOptions): void
  retry(): void
  /** Stops the export, or closes the message about its failure. */
  dismiss(): void
}

interface ExportSource<Code> {
  /** Whether everything that can be exported has arrived. Only then is code loaded: it is not part of the first load. */
  isReady: boolean
  importCode: () => Promise<Code>
  /** Reads what is exported. It is called with the state of the page at that time. */
  load: (code: Code, progress: ExportProgress, options: ExportOptions) => Promise<ExportTable>
}

const importSaving = () => import('./save-table.ts')

/** Exports what a page shows as files. */
export function useExport<Code>({ isReady, importCode, load }: ExportSource<Code>): Export {
  const [progress, setProgress] = useState<number | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const controller = useRef<AbortController | null>(null)
  const last = useRef<[format: ExportFormat, options: ExportOptions]>(['csv', {}])
  const importAll = useRef(() => Promise.all([importSaving(), importCode()]))
  useEffect(() => () => controller.current?.abort(), [])
  useEffect(() => {
    // A failure appears when it is needed.
    if (isReady) importAll.current().catch(() => {})
  }, [isReady])

  async function run(format: ExportFormat, options: ExportOptions = {}): Promise<void> {
    controller.current?.abort()
    const own = new AbortController()
    const { signal } = own
    controller.current = own
    last.current = [format, options]
    setFailure(null)
    setProgress(0)
    try {
      const [{ saveTable }, code] = await importAll.current()
      const onProgress = (share: number) => !signal.aborted && setProgress(share)
      const table = await load(code, { signal, onProgress }, options)
      signal.throwIfAborted()
      await saveTable(table, format)
      showToast({ message: `Exported ${formatNumberOf(table.rows.length - (table.headerCount ?? 1), table.noun)}` })
    } catch (error) {
      if (!signal.aborted) setFailure(describeExportFailure(error))
    } finally {
      if (controller.current === own) setProgress(null)
    }
  }

  return {
    progress,
    failure,
    isReady,
    start: (format, options) => void run(format, options),
    retry: () => void run(...last.current),
    dismiss() {
      controller.current?.abort()
      controller.current = null
      setProgress(null)
      setFailure(null)
    },
  }
}

function describeExportFailure(error: unknown): string {
  if (error instanceof FileError) return error.message
  if (error instanceof RequestFailed) return describeFailure(error).message
  return 'A part of the page could not be loaded. Reload the page.'
}
