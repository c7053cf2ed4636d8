import { expect, it } from 'vitest'

import { LIMITS } from '../limits.ts'
import { fromBytes } from './import-file.ts'
import { type Entry, packZip } from './pack-zip.test.helper.ts'
import { openZip } from './zip.ts'

const text = (content: string): Buffer => Buffer.from(content)
const open = (entries: readonly Entry[]) => openZip(fromBytes('export.zip', packZip(entries)))

async function read(entries: readonly Entry[], name: string): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of (await open(entries)).get(name)?.read() ?? []) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

it('openZip finds the files of an archive by their paths', async () => {
  const entries = [
    { name: 'a/', content: text('') },
    { name: 'a/b.csv', content: text('Title\nPays\n') },
  ]
  expect([...(await open(entries)).keys()]).toEqual(['a/b.csv'])
  expect(await read(entries, 'a/b.csv')).toBe('Title\nPays\n')
})

it.each(['../passwd', 'a/../../passwd', '/etc/passwd', 'C:\\Windows\\win.ini', '..\\passwd'])(
  'openZip refuses the path %s',
  async (name) => {
    await expect(open([{ name, content: text('x') }])).rejects.toMatchObject({ code: 'unreadable_file' })
  },
)

it('openZip refuses links', async () => {
  const link = { name: 'link', content: text('/etc/passwd'), mode: 0o120777 }
  await expect(open([link])).rejects.toMatchObject({
    code: 'unreadable_file',
    message: expect.stringContaining('link'),
  })
})

it('openZip refuses what becomes more than a hundred times as large', async () => {
  const bomb = { name: 'a.csv', content: Buffer.alloc(LIMITS.unpackedFreely + 1) }
  await expect(open([bomb])).rejects.toMatchObject({ code: 'zip_too_large' })
})

it('openZip refuses a file that is larger than the archive says, while it is unpacked', async () => {
  const liar = { name: 'a.csv', content: Buffer.alloc(LIMITS.unpackedFreely + 1), claims: 10 }
  await expect(read([liar], 'a.csv')).rejects.toMatchObject({ code: 'unreadable_file' })
})

it('openZip refuses more files than it may have', async () => {
  const archive = packZip([{ name: 'a.csv', content: text('x') }])
  archive.writeUInt16LE(LIMITS.zipEntries + 1, archive.length - 22 + 10)
  await expect(openZip(fromBytes('export.zip', archive))).rejects.toMatchObject({ code: 'zip_too_large' })
})
