import { useQueryClient } from '@tanstack/react-query'
import { type ClipboardEvent, useEffect, useRef, useState } from 'react'

import { sendUpload } from '../../uploads/send-upload.ts'
import { showAttached } from '../../uploads/show-attached.ts'
import { namePasted } from '../files/file-words.ts'
import type { CommentPlace } from './comment-queries.ts'

export interface PastedFiles {
  /** How many are being sent. */
  readonly sendingCount: number
  /** Why the last one was not attached; null if it was. */
  readonly problem: string | null
  readonly handlePaste: (event: ClipboardEvent) => void
}

/** Attaches pictures that are pasted into a comment. @param onAttached called with each when the server has it */
export function usePastedFiles(
  place: CommentPlace,
  onAttached: (attachment: { id: string; name: string }) => void,
): PastedFiles {
  const queryClient = useQueryClient()
  const [sendingCount, setSendingCount] = useState(0)
  const [problem, setProblem] = useState<string | null>(null)
  const latest = useRef(onAttached)
  useEffect(() => {
    latest.current = onAttached
  })

  async function send(file: File): Promise<void> {
    setSendingCount((count) => count + 1)
    setProblem(null)
    const id = crypto.randomUUID()
    const name = namePasted(file, new Date())
    const entry = { id, place, name, byteCount: file.size, mediaType: file.type, order: 0, key: id, problem: null }
    const outcome = await sendUpload(entry, file, { onProgress: () => {}, signal: new AbortController().signal })
    setSendingCount((count) => count - 1)
    if (outcome.kind === 'attached') {
      showAttached(queryClient, place, outcome.attachment)
      latest.current(outcome.attachment)
    } else setProblem('message' in outcome ? outcome.message : 'The picture was not attached. Paste it again.')
  }
  function handlePaste(event: ClipboardEvent): void {
    const files = [...event.clipboardData.files].filter(({ type }) => type.startsWith('image/'))
    // Cells of a table are text and a picture: the text is what is meant.
    if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    // The page would attach it, too.
    event.stopPropagation()
    for (const file of files) void send(file)
  }
  return { sendingCount, problem, handlePaste }
}
