import { expect, it } from 'vitest'

import { decodeXml } from './decode-xml.ts'

const XML = '<testsuite name="Prüfung"/>'
const declare = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${XML}`

it.each([
  ['UTF-8', Buffer.from(XML), XML],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${XML}`), XML],
  ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${XML}`, 'utf16le'), XML],
  ['UTF-16 without one', Buffer.from(XML, 'utf16le'), XML],
  ['UTF-16 in the other order', Buffer.from(`\uFEFF${XML}`, 'utf16le').swap16(), XML],
  ['Latin 1, as declared', Buffer.from(declare('ISO-8859-1'), 'latin1'), declare('ISO-8859-1')],
  ['an encoding that nobody knows', Buffer.from(declare('x-unknown')), declare('x-unknown')],
  ['single bytes that .NET declares to be UTF-16', Buffer.from(declare('utf-16')), declare('utf-16')],
  ['an empty file', Buffer.of(), ''],
])('reads %s', (_, bytes, text) => {
  expect(decodeXml(bytes)).toBe(text)
})
