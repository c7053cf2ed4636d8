import { describe, expect, it } from 'vitest'

import { detectType } from './detect-type.ts'
import { gif, gifScript, html, makePng, mp4, pdf, svg, xml, zip } from './sample-files.test.helper.ts'

const detect = (content: Buffer, name = 'file') => detectType(content.subarray(0, 65_536), content.length, name)

describe('detectType', () => {
  it.each([
    ['a PNG image', makePng(640, 480), { kind: 'image', mediaType: 'image/png', width: 640, height: 480 }],
    ['a GIF image', gif, { kind: 'image', mediaType: 'image/gif', width: 3, height: 2 }],
    ['an MP4 video', mp4, { kind: 'video', mediaType: 'video/mp4' }],
    ['a ZIP file', zip, { kind: 'other', mediaType: 'application/octet-stream' }],
    ['a PDF file', pdf, { kind: 'other', mediaType: 'application/octet-stream' }],
    ['HTML', html, { kind: 'text', mediaType: 'text/plain; charset=utf-8' }],
    ['SVG', svg, { kind: 'text', mediaType: 'text/plain; charset=utf-8' }],
    ['XML with a style sheet', xml, { kind: 'text', mediaType: 'text/plain; charset=utf-8' }],
    ['nothing', Buffer.alloc(0), { kind: 'text', mediaType: 'text/plain; charset=utf-8' }],
    ['UTF-7', Buffer.from('+ADw-script+AD4-alert(1)+ADw-/script+AD4-'), { kind: 'text' }],
    ['UTF-16', Buffer.from('\ufeffÜber', 'utf16le'), { kind: 'text' }],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0x62]), { kind: 'other' }],
    ['text with NUL', Buffer.from('a\0b'), { kind: 'other' }],
  ] as const)('recognizes %s', async (_, content, expected) => {
    expect(await detect(content)).toMatchObject(expected)
  })

  it('decides by the content, not by the name', async () => {
    expect((await detect(html, 'picture.png')).kind).toBe('text')
    expect((await detect(makePng(), 'page.html')).mediaType).toBe('image/png')
  })

  it('takes a ZIP file for a trace only by its name', async () => {
    expect(await detect(zip, 'test-failed-trace.zip')).toMatchObject({ kind: 'trace', mediaType: 'application/zip' })
    expect((await detect(html, 'trace.zip')).kind).toBe('text')
  })

  it('makes an image a download when it is larger than 50 megapixels, or when its size is unknown', async () => {
    expect(await detect(makePng(10_000, 5000))).toMatchObject({ kind: 'image' })
    const download = { kind: 'other', mediaType: 'application/octet-stream', width: null, height: null }
    expect(await detect(makePng(65_535, 65_535))).toEqual(download)
    expect(await detect(makePng(0, 5))).toEqual(download)
    expect(await detect(Buffer.from('ffd8ffe0', 'hex'))).toEqual(download)
  })

  it('never makes a polyglot anything but what its signature says', async () => {
    expect(await detect(gifScript, 'script.js')).toMatchObject({ mediaType: 'image/gif' })
    expect(await detect(Buffer.concat([zip, html]), 'page.html')).toMatchObject({ kind: 'other' })
  })

  it('recognizes long text although its first 64 KB end within a character', async () => {
    const text = Buffer.from(`a${'é'.repeat(40_000)}`)
    expect((await detect(text)).kind).toBe('text')
    expect((await detect(Buffer.concat([text.subarray(0, 65_000), Buffer.from([0xff]), text]))).kind).toBe('other')
  })
})
