import { crc32, deflateRawSync } from 'node:zlib'

import { expect, it } from 'vitest'

import { LIMITS } from '../limits.ts'
import { fromBytes } from './import-file.ts'
import { openZip } from './zip.ts'

interface Entry {
  name: string
  content: Buffer
  /** How large the archive says that it is; as large as it is by default. */
  claims?: number
  /** Mode of a file of Unix. */
  mode?: number
}

/** Packs entries as they are given, also such as no program would. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
function pack(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, claims = content.length, mode = 0o100644 } of entries) {
    const packed = deflateRawSync(content)
    const path = Buffer.from(name)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(claims, 18)
    fields.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, path, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0003', 'latin1'), fields, rest, path]))
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, listed, Buffer.from('PK\u0005\u0006'), end])
}

const text = (content: string): Buffer => Buffer.from(content)
const open = (entries: readonly Entry[]) => openZip(fromBytes('export.zip', pack(entries)))

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
  const archive = pack([{ name: 'a.csv', content: text('x') }])
  archive.writeUInt16LE(LIMITS.zipEntries + 1, archive.length - 22 + 10)
  await expect(openZip(fromBytes('export.zip', archive))).rejects.toMatchObject({ code: 'zip_too_large' })
})
