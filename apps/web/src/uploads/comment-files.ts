import { type Drafts, draftItem } from '../drafts/drafts.ts'
import { type FilePlace, getPlaceKey, type UploadEntry } from './upload-entry.ts'

/*
 * A picture that is pasted into a comment is sent like every other file, also after a reload. Until the server has it, nobody
 * knows its id: the text names the upload, `![shot.png](upload:<id>)`, and a second draft what each upload has become.
 */

/** Names the item of the draft of a comment. @param commentId null for a new one */
export const commentItem = (place: FilePlace, commentId: string | null): string =>
  draftItem('comment', getPlaceKey(place), commentId ?? 'new')

/** Names the item of the draft with what the uploads of a comment have become. */
export const commentFilesItem = (comment: string): string => draftItem('comment-files', comment)

/** Remembers the attachment that the upload of a comment's picture has become. */
export function saveCommentFile(drafts: Drafts, { id, comment }: UploadEntry, attachmentId: string): void {
  if (comment === null) return
  const item = commentFilesItem(comment)
  drafts.save(item, `${drafts.read(item)?.text ?? ''} ${id}=${attachmentId}`.trim())
}

/** Returns the attachments of a comment's uploads, by the id of the upload. */
export const readCommentFiles = (drafts: Drafts, comment: string): ReadonlyMap<string, string> =>
  new Map(
    (drafts.read(commentFilesItem(comment))?.text ?? '').split(' ').flatMap((pair) => {
      // Earlier versions of the app have stored ids of attachments only.
      const [uploadId = '', attachmentId = uploadId] = pair.split('=')
      return uploadId === '' ? [] : [[uploadId, attachmentId] as const]
    }),
  )

const UPLOAD = /\]\(upload:([\w-]+)\)/g

/** Formats what a comment contains to show a picture that is being sent. */
export const formatUpload = ({ id, name }: Pick<UploadEntry, 'id' | 'name'>): string =>
  `![${name.replaceAll(/[[\]]/g, '')}](upload:${id})`

/** Finds the ids of the uploads that a comment shows, each once. */
export const findUploadIds = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(UPLOAD), ([, id = '']) => id)),
]

/** Replaces uploads by the attachments that they have become; others stay. */
export const replaceUploads = (text: string, files: ReadonlyMap<string, string>): string =>
  text.replaceAll(UPLOAD, (whole, id: string) => (files.has(id) ? `](attachment:${files.get(id)})` : whole))
