import type { Attachment } from '@caseward/client/endpoints'

/** What an attachment has beside its content. Only a complete one has a content that can be shown. */
export interface LateFields {
  readonly state: 'complete' | 'waiting' | 'never_arrived' | 'removed' | 'lost'
  /** The attempt of a test that it belongs to, from 1; null for what people attach. */
  readonly attempt: number | null
  /** The place of the combination of a result that it belongs to; null for the whole. */
  readonly place: number | null
  readonly file_id: string | null
  readonly url: string | null
  /** Null once the content was removed. */
  readonly byte_count: number | null
  readonly sha256: string | null
}

/** An attachment as pages show it. */
export type ShownFile = Omit<Attachment, keyof LateFields> & LateFields

/** An attachment as the API returns it: servers of earlier versions know no states. */
export type ReceivedFile = Omit<Attachment, keyof LateFields> & Partial<LateFields>

/** Completes an attachment of an earlier server, which has nothing but complete ones. */
export const toShownFile = (attachment: ReceivedFile): ShownFile => ({
  ...attachment,
  state: attachment.state ?? 'complete',
  attempt: attachment.attempt ?? null,
  place: attachment.place ?? null,
  file_id: attachment.file_id ?? null,
  url: attachment.url ?? null,
  byte_count: attachment.byte_count ?? null,
  sha256: attachment.sha256 ?? null,
})

/** A file whose content can be shown. */
export type OpenableFile = ShownFile & {
  readonly url: string
  readonly file_id: string
  readonly byte_count: number
}

/** Whether there is a content. */
export const isOpenable = (file: ShownFile): file is OpenableFile =>
  file.state === 'complete' && file.url !== null && file.file_id !== null && file.byte_count !== null
