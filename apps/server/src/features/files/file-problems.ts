import { FILE_PART_BYTES, MAX_FILE_BYTES } from '@caseward/contract/endpoint'

import { FileStoreError } from '../../platform/files/file-store.ts'
import { conflictProblem, invalidFieldProblem, Problem, unprocessableProblem } from '../../platform/http/problems.ts'

const RETRY = { headers: { 'retry-after': '30' } }

const MEBIBYTE = 1024 * 1024

/** 413, for a file that the server does not accept. */
export const fileTooLargeProblem = (limitBytes: number) =>
  new Problem(413, 'file_too_large', describeTooLarge(limitBytes))

export const describeTooLarge = (limitBytes: number): string =>
  `The file exceeds the limit of ${limitBytes / MEBIBYTE} MB. The administrator of the server can raise it with FILE_LIMIT_MB.`

/** @throws {Problem} 413 */
export function requireFileSize(byteCount: number, limitBytes: number): void {
  if (byteCount > limitBytes) throw fileTooLargeProblem(limitBytes)
}

/** 413, for a body that is too long for one request. */
export const usePartsProblem = () =>
  new Problem(
    413,
    'use_parts',
    `The file exceeds the ${MAX_FILE_BYTES / MEBIBYTE} MB of one request. Send it in parts of ${FILE_PART_BYTES / MEBIBYTE} MB with Content-Range, as the API reference describes.`,
  )

export const describeFileQuota = (quota: number): string =>
  `The files of this project may take ${quota.toLocaleString('en')} bytes on this server. Delete what is no longer needed, or ask an instance administrator to change the setting max_file_bytes_per_project.`

export const fileQuotaReachedProblem = (quota: number) =>
  unprocessableProblem('file_quota_reached', describeFileQuota(quota))

export const lengthMismatchProblem = (length: number, expected: number) =>
  unprocessableProblem(
    'length_mismatch',
    `The body has ${length.toLocaleString('en')} bytes, and should have ${expected.toLocaleString('en')}. Nothing was kept; send the content that was declared.`,
  )

/** 404, for a content that no attachment of the run has. */
export const notDeclaredProblem = () =>
  new Problem(
    404,
    'not_declared',
    'No upload into this run declared a file with this SHA-256, or it was replaced meanwhile. Upload the results with their attachments first.',
  )

export const digestMismatchProblem = () =>
  unprocessableProblem(
    'digest_mismatch',
    'The SHA-256 of the content differs from the one in the address. Nothing was kept: the file has changed since it was declared, or was damaged on the way.',
  )

export const lengthRequiredProblem = () =>
  invalidFieldProblem('/content-length', 'is required: send the number of bytes, and no chunked body')

export const wrongOffsetProblem = (received: number) =>
  new Problem(
    409,
    'wrong_offset',
    `${received.toLocaleString('en')} bytes were received. Send the part that begins there.`,
    { extensions: { received } },
  )

export const uploadMismatchProblem = (byteCount: number) =>
  conflictProblem(
    'upload_mismatch',
    `Content-Range names another size: the content has ${byteCount.toLocaleString('en')} bytes.`,
  )

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

export const fileStoreUnavailableProblem = () =>
  new Problem(
    503,
    'file_store_unavailable',
    'The store of files is unavailable, and nothing was changed. Try again later; everything else works.',
    RETRY,
  )

/** Converts an error of the file store; returns any other error as it is. */
export function toFileProblem(error: unknown): unknown {
  if (!(error instanceof FileStoreError)) return error
  switch (error.code) {
    case 'too_large':
      return usePartsProblem()
    case 'full':
      return new Problem(
        507,
        'file_store_full',
        'There is not enough free space for files. Nothing was stored. Ask the administrator of the server to free space, then try again.',
      )
    case 'missing':
    case 'unavailable':
      return fileStoreUnavailableProblem()
    default:
      return error.code satisfies never
  }
}
