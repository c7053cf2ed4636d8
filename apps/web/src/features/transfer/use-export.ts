import { useEffect, useRef, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import { showToast } from '../../ui/toast.ts'
import type { ExportFormat, ExportProgress, ExportTable } from './export-table.ts'

/** An export in the background, while the page stays usable. */
export interface Export {
  /** From 0 to 1; null when nothing is exported. */
  readonly progress: number | null
  /** Why the last export failed, as sentences. */
  readonly failure: string | null
  start(format: ExportFormat): void
  retry(): void
  /** Stops the export, or closes the message about its failure. */
  dismiss(): void
}

/** @param load reads what is exported; it is called with the state of the page at that time */
export function useExport(load: (progress: ExportProgress) => Promise<ExportTable>): Export {
  const [progress, setProgress] = useState<number | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const controller = useRef<AbortController | null>(null)
  const lastFormat = useRef<ExportFormat>('csv')
  useEffect(() => () => controller.current?.abort(), [])

  async function run(format: ExportFormat): Promise<void> {
    controller.current?.abort()
    const own = new AbortController()
    const { signal } = own
    controller.current = own
    lastFormat.current = format
    setFailure(null)
    setProgress(0)
    try {
      // The code that writes files is not part of the page.
      const { saveTable } = await import('./save-table.ts')
      const table = await load({ signal, onProgress: (share) => !signal.aborted && setProgress(share) })
      signal.throwIfAborted()
      await saveTable(table, format)
      showToast({ message: `Exported ${formatNumberOf(table.rows.length - 1, table.noun)}` })
    } catch (error) {
      if (!signal.aborted) setFailure(await describeExportFailure(error))
    } finally {
      if (controller.current === own) setProgress(null)
    }
  }

  return {
    progress,
    failure,
    start: (format) => void run(format),
    retry: () => void run(lastFormat.current),
    dismiss() {
      controller.current?.abort()
      controller.current = null
      setProgress(null)
      setFailure(null)
    },
  }
}

async function describeExportFailure(error: unknown): Promise<string> {
  const { FileError } = await import('./read-table.ts')
  if (error instanceof FileError) return error.message
  return describeFailure(error).message.replace(' What you typed is kept.', '')
}
