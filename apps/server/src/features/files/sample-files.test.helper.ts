/* Contents for tests: the smallest of each type that the server tells apart. */

import type { Attachment } from '@caseward/contract/attachment-schemas'

/** An attachment whose content is there. */
export type CompleteAttachment = Attachment & { file_id: string; url: string; sha256: string }

/** A PNG image without pixels, of any size: its header is all that is read of it. */
export function makePng(width = 3, height = 2, text = ''): Buffer {
  const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  return Buffer.concat([
    header,
    size,
    Buffer.from('0806000000', 'hex'),
    Buffer.alloc(4),
    Buffer.from(`    IDAT${text}`),
  ])
}

export const gif = Buffer.from('GIF89a\u0003\0\u0002\0\0\0\0', 'latin1')
/** A GIF image that is a script, too. */
export const gifScript = Buffer.from('GIF89a/*\u0002\0\0\0\0*/=1;alert(1)', 'latin1')
export const mp4 = Buffer.from('\0\0\0\u0018ftypmp42\0\0\0\0mp42isom', 'latin1')
export const zip = Buffer.concat([Buffer.from('504b0304140000000000', 'hex'), Buffer.alloc(40)])
export const pdf = Buffer.from('%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj')
export const html = Buffer.from('<!doctype html><script>document.title = "run"</script>')
export const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
export const xml = Buffer.from('<?xml version="1.0"?><?xml-stylesheet href="x.xsl" type="text/xsl"?><a/>')
