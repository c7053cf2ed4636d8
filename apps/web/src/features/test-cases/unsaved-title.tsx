import { useEffect } from 'react'

import type { SaveStatus } from './case-editing.ts'

const MARK = '(!) '

/** Marks the title of the window while something is not saved. The page renders the title itself. */
export function UnsavedTitle({ status }: { status: SaveStatus }) {
  const isUnsaved = status !== 'saved'
  useEffect(() => {
    const unmarked = document.title.replace(MARK, '')
    document.title = isUnsaved ? MARK + unmarked : unmarked
  })
  useEffect(
    () => () => {
      document.title = document.title.replace(MARK, '')
    },
    [],
  )
  return null
}
