import type { Attachment } from '@caseward/reporter-core'

import type { TestAttachment, TestCase } from './framework-types.ts'

const MAX_NAME_LENGTH = 100

/** Converts the files in annotations and artifacts of a test. */
export function toAttachments(test: TestCase): Attachment[] {
  const annotations = test.annotations?.() ?? []
  const artifacts = test.artifacts?.() ?? []
  return [
    ...annotations.flatMap(({ message, attachment }) =>
      attachment === undefined ? [] : [toAttachment(attachment, message)],
    ),
    // Annotations of later versions are artifacts, too.
    ...artifacts.flatMap(({ type, attachments = [] }) =>
      type === 'internal:annotation' ? [] : attachments.map((attachment) => toAttachment(attachment, attachment.name)),
    ),
  ]
}

function toAttachment({ path, body, bodyEncoding, originalPath }: TestAttachment, title = ''): Attachment {
  const fileName = (originalPath ?? path ?? '').split(/[\\/]/).at(-1) ?? ''
  const name = getName(title, fileName)
  if (path !== undefined) return { name, path }
  return { name, body: typeof body === 'string' && bodyEncoding !== 'utf-8' ? Buffer.from(body, 'base64') : body }
}

/** The message of an annotation says more than the name of the file, whose type is kept. */
function getName(title: string, fileName: string): string {
  const text = title.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_NAME_LENGTH)
  if (text === '') return fileName
  const extension = /\.\w{1,10}$/.exec(fileName)?.[0] ?? ''
  return text.endsWith(extension) ? text : `${text}${extension}`
}
