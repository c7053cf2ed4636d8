import { createHash } from 'node:crypto'

import type { AttachmentsReceipt } from '@caseward/contract/uploads'
import type { TestServer } from './test-server.ts'

export const digest = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')

/** Declares a content as an upload does. */
export const declare = (name: string, content: Buffer | string, more: object = {}) => ({
  name,
  sha256: digest(content),
  byte_count: Buffer.byteLength(content),
  ...more,
})

/** A receipt of an upload with attachments. */
export interface DeclaringReceipt {
  attachments?: AttachmentsReceipt
}

/** Sends a content, or a part of it, that an upload into a run declared. */
export const sendContent = (
  server: TestServer,
  path: string,
  content: Buffer | string,
  { token, headers }: { token: string; headers?: Record<string, string> },
) =>
  server.request('PUT', path, {
    token,
    body: Buffer.from(content),
    headers: { 'content-length': String(Buffer.byteLength(content)), ...headers },
  })
