import { Type } from 'typebox'

import { Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

export const FILE_KINDS = ['other', 'image', 'video', 'audio', 'text', 'trace'] as const
export type FileKind = (typeof FILE_KINDS)[number]

export const ATTACHMENT_STATES = ['complete', 'waiting', 'never_arrived', 'removed', 'lost'] as const
export type AttachmentState = (typeof ATTACHMENT_STATES)[number]

/** A file with a name at a place: a run, a result, a test case, a step of one of the latter two, or an attempt at a test. */
export const Attachment = Type.Object({
  id: Type.String({ description: 'Attachment id.' }),
  name: Type.String({ description: 'Name of the file. Several attachments of a place can have the same one.' }),
  kind: OneOf(FILE_KINDS, {
    description:
      'What the content is; the server decides it from the first bytes, not from the name. `text` includes HTML, SVG and scripts. `other` can only be downloaded, and stands for a content that is not there.',
  }),
  media_type: Nullable(
    Type.String({ description: 'Media type that the content is served with; null unless it is complete.' }),
  ),
  byte_count: Nullable(Type.Integer({ description: 'Size of the content in bytes; null if the content was removed.' })),
  sha256: Nullable(
    Type.String({ description: 'SHA-256 of the content in hexadecimal; null if the content was removed.' }),
  ),
  width: Nullable(Type.Integer({ description: 'Width of an image in pixels; null for other kinds.' })),
  height: Nullable(Type.Integer({ description: 'Height of an image in pixels; null for other kinds.' })),
  state: OneOf(ATTACHMENT_STATES, {
    description:
      '`complete`: the content is there. `waiting`: an upload declared it, and its content has not arrived. `never_arrived`: it has not arrived within 7 days, or until then. `removed`: the content was removed because of its age. `lost`: the content is missing in the file store.',
  }),
  file_id: Nullable(
    Type.String({
      description:
        'Id of the file, with which its content can be attached to another place without sending it again; null unless it is complete.',
    }),
  ),
  url: Nullable(Type.String({ description: 'Path of the content on this server; null unless it is complete.' })),
  step: Nullable(Type.Integer({ description: 'Position of the step, from 1; null for the whole place.' })),
  place: Nullable(
    Type.Integer({
      description: 'Place of the combination of the result that it belongs to; null for the whole result.',
    }),
  ),
  test_id: Nullable(
    Type.String({
      description: 'Test at whose attempt it is; null if it was attached to the result or another place.',
    }),
  ),
  source: Nullable(
    Type.Integer({ description: '`source` of the part of the test that has the attempt; null without an attempt.' }),
  ),
  attempt: Nullable(
    Type.Integer({ description: 'Number of the attempt within its part, from 1; null without an attempt.' }),
  ),
  created_by: Nullable(Type.String({ description: 'User id; null if it was attached with a CI token.' })),
  created_at: Timestamp('When it was attached or declared.'),
})
export type Attachment = Static<typeof Attachment>

export const attachmentExample = {
  id: '019aa5c0-1111-7a4c-8f5e-2f0f8c3f5a02',
  name: 'error page.png',
  kind: 'image',
  media_type: 'image/png',
  byte_count: 48_213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  width: 1280,
  height: 720,
  state: 'complete',
  file_id: '019aa5c0-2222-7b5d-9a6f-3a1f9d4a6b13',
  url: '/v1/projects/019aa5b4-0000-7000-8000-0b1c2d3e4f50/files/019aa5c0-2222-7b5d-9a6f-3a1f9d4a6b13/content?name=error%20page.png',
  step: null,
  place: null,
  test_id: null,
  source: null,
  attempt: null,
  created_by: '019aa5b4-1c0d-7e3f-9a5b-6c7d8e9f0a12',
  created_at: '2026-11-21T09:30:00.000Z',
} as const
