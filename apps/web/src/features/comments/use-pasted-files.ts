import { type ClipboardEvent, useState } from 'react'

import { useDrafts } from '../../drafts/use-drafts.ts'
import { commentFilesItem, findUploadIds, readCommentFiles, replaceUploads } from '../../uploads/comment-files.ts'
import type { UploadEntry } from '../../uploads/upload-entry.ts'
import type { Uploads } from '../../uploads/uploads.ts'
import { useUploads } from '../../uploads/use-uploads.ts'
import { describeUploads, type UploadsMessage } from '../files/describe-uploads.ts'
import { namePasted } from '../files/file-words.ts'
import type { CommentPlace } from './comment-queries.ts'

export interface PastedFiles {
  readonly uploads: Uploads
  /** What is being sent, and what the server refused. */
  readonly entries: readonly UploadEntry[]
  /** Whether the text shows pictures that are still to be sent. */
  readonly isWaiting: boolean
  /** How many pictures of the text were given up, or are known to another browser only. */
  readonly lostCount: number
  /** How the sending goes; null if nothing is sent. */
  readonly message: UploadsMessage | null
  /** The text with the attachments that were sent for it, and their ids. */
  readonly written: { readonly body: string; readonly attachmentIds: readonly string[] }
  readonly handlePaste: (event: ClipboardEvent) => void
  /** Gives up what is not sent yet, and forgets the rest. */
  readonly forget: () => void
}

/**
 * The pictures that are pasted into a comment. They are kept in this browser until the server has them, as all files.
 * @param item of the draft of the comment
 * @param onPaste called with each picture
 */
export function usePastedFiles(
  place: CommentPlace,
  item: string,
  text: string,
  onPaste: (entry: UploadEntry) => void,
): PastedFiles {
  const drafts = useDrafts()
  const [uploads, { entries, progress, ...state }] = useUploads()
  const [, setForgotten] = useState(0)
  const own = entries.filter(({ comment }) => comment === item)
  // Saved before the entry of the upload goes.
  const files = readCommentFiles(drafts, item)
  const unresolved = findUploadIds(text).filter((id) => !files.has(id))
  const body = replaceUploads(text, files)

  function handlePaste(event: ClipboardEvent): void {
    const pasted = [...event.clipboardData.files].filter(({ type }) => type.startsWith('image/'))
    // Cells of a table are text and a picture: the text is what is meant.
    if (pasted.length === 0 || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    // The page would attach it, too.
    event.stopPropagation()
    const named = pasted.map((file) => new File([file], namePasted(file, new Date()), { type: file.type }))
    uploads.add(place, named, item).forEach(onPaste)
  }
  function forget(): void {
    for (const { id } of own) uploads.cancel(id)
    drafts.remove(commentFilesItem(item))
    setForgotten((count) => count + 1)
  }
  return {
    uploads,
    entries: own,
    isWaiting: unresolved.some((id) => own.some((entry) => entry.id === id)),
    lostCount: unresolved.filter((id) => own.every((entry) => entry.id !== id)).length,
    message: describeUploads(own, progress, state),
    written: { body, attachmentIds: [...files.values()].filter((id) => body.includes(`](attachment:${id})`)) },
    handlePaste,
    forget,
  }
}
