import { useEffect } from 'react'

import { lazyPart } from '../../ui/lazy-part.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import type { RunPaperProps } from './run-paper.tsx'

const RunPaper = lazyPart(async () => (await import('./run-paper.tsx')).RunPaper, { isOptional: true })

/** What is printed below the head of a run. Its code is loaded after the page, as printing does not wait. */
export function RunPrint(props: RunPaperProps) {
  const isPrinting = useMediaQuery('print')
  useEffect(() => RunPaper.preload(), [])
  return isPrinting ? <RunPaper {...props} /> : null
}
