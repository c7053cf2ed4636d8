import { MAX_FILE_BYTES } from '@caseward/contract/endpoint'

import { FileStoreError } from '../../platform/files/file-store.ts'
import { Problem, unprocessableProblem } from '../../platform/http/problems.ts'

const RETRY = { headers: { 'retry-after': '30' } }

export const fileTooLargeProblem = () =>
  new Problem(413, 'file_too_large', `The file exceeds the limit of ${MAX_FILE_BYTES / 1024 / 1024} MB.`)

export const unsupportedFileBodyProblem = () =>
  new Problem(
    415,
    'unsupported_file_body',
    'Forms are not supported. Send the bytes of one file as the body: curl --data-binary @shot.png "…/attachments?name=shot.png".',
  )

/** 503, when too many files are being received. */
export const filesBusyProblem = () =>
  new Problem(
    503,
    'busy',
    'Too many files, yours or those of others, are being received. Nothing was stored; send it again in a few seconds.',
    { headers: { 'retry-after': '5' } },
  )

/** 408, for a body that hardly arrives. */
export const fileTooSlowProblem = () =>
  new Problem(408, 'request_timeout', 'The file arrived at less than 1 KB a second. Send it again.')

export const tooManyAttachmentsProblem = (place: string, limit: number) =>
  unprocessableProblem(
    'too_many_attachments',
    `This ${place} has ${limit.toLocaleString('en')} attachments, and cannot have more. Delete one that is no longer needed.`,
  )

/** Converts an error of the file store; returns any other error as it is. */
export function toFileProblem(error: unknown): unknown {
  if (!(error instanceof FileStoreError)) return error
  switch (error.code) {
    case 'too_large':
      return fileTooLargeProblem()
    case 'full':
      return new Problem(
        507,
        'file_store_full',
        'There is not enough free space for files. Nothing was stored. Ask the administrator of the server to free space, then try again.',
      )
    case 'missing':
    case 'unavailable':
      return new Problem(
        503,
        'file_store_unavailable',
        'The store of files is unavailable, and nothing was changed. Try again later; everything else works.',
        RETRY,
      )
    default:
      return error.code satisfies never
  }
}
