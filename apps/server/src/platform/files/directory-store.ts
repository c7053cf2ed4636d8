import { mkdir, open, readdir, readFile, rename, rm, stat, statfs, truncate } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { v4 as createRandomId } from 'uuid'

import { createContentMeter } from './content-meter.ts'
import {
  assertFileName,
  FileStoreError,
  type FileStore,
  isProjectName,
  LOCATION,
  MARKER_NAME,
  NAMES_PER_PAGE,
} from './file-store.ts'

export interface DirectoryStoreOptions {
  directory: string
  /** No content is written when less is free on the file system: it may be that of the database. */
  minFreeBytes: number
}

/** Contents that are being written. */
const TEMPORARY_DIRECTORY = 'tmp'

/** How long enough free space is taken for granted: less is written meanwhile than `minFreeBytes` keeps. */
const SPACE_CHECK_MS = 250

/** Keeps contents as files of a directory. */
export function createDirectoryStore({ directory, minFreeBytes }: DirectoryStoreOptions): FileStore {
  const toPath = (name: string) => join(directory, name)
  const toTemporaryPath = (name: string) => join(directory, TEMPORARY_DIRECTORY, basename(name))

  let spaceCheckedAt = -Infinity

  async function checkSpace(): Promise<void> {
    // Fails for a file in its place.
    const { bavail, bsize } = await withDirectory(directory, () => statfs(`${directory}/.`))
    if (bavail * bsize < minFreeBytes) {
      throw new FileStoreError('full', `Less than ${minFreeBytes} bytes are free on the file system of ${directory}`)
    }
    spaceCheckedAt = performance.now()
  }

  async function requireSpace(): Promise<void> {
    if (performance.now() - spaceCheckedAt > SPACE_CHECK_MS) await checkSpace()
  }

  const readMarker = () =>
    inStore(
      readFile(toPath(MARKER_NAME), 'utf8').catch((error: unknown) => {
        if (isMissing(error)) return null
        throw error
      }),
    )

  /** Without its marker, the directory is not there: a disk that is not mounted has lost nothing. */
  async function reportMissing(error: unknown): Promise<never> {
    if (!isMissing(error) || (await readMarker()) === null) throw error
    throw new FileStoreError('missing', 'The file store does not contain the file', error)
  }

  /** Writes a file that appears complete or not at all, also after a crash. */
  async function writeAtomically(name: string, write: (file: FileWriter) => Promise<void>): Promise<void> {
    // A name of its own: what a crash has left of an earlier attempt is removed by a job.
    const temporaryPath = `${toTemporaryPath(name)}.${createRandomId()}`
    const path = toPath(name)
    const file = await inStore(withDirectory(dirname(temporaryPath), () => open(temporaryPath, 'wx', 0o600)))
    try {
      try {
        await write((chunk) => inStore(writeAll(file, chunk)))
        await inStore(file.datasync())
      } finally {
        await file.close()
      }
      await inStore(withDirectory(dirname(path), () => rename(temporaryPath, path)))
    } catch (error) {
      await rm(temporaryPath, { force: true }).catch(() => {}) // the first error says what is wrong
      throw error
    }
    await inStore(syncDirectory(dirname(path)))
  }

  /** Removes what servers that ended have left of parts. */
  async function removeParts(ids: ReadonlySet<string>): Promise<void> {
    for (const entry of await listEntries(join(directory, TEMPORARY_DIRECTORY))) {
      const [id = ''] = entry.split('.', 1)
      if (id !== entry && ids.has(id)) await inStore(rm(join(directory, TEMPORARY_DIRECTORY, entry), { force: true }))
    }
  }

  return {
    location: LOCATION.directory,
    createAddress: null,
    description: directory,
    async write(name, content, limitBytes) {
      assertFileName(name)
      await inStore(requireSpace())
      const meter = createContentMeter(limitBytes)
      await writeAtomically(name, async (write) => {
        for await (const chunk of content) {
          meter.add(chunk)
          await write(chunk)
        }
      })
      return meter.finish()
    },
    minPartBytes: 1,
    async beginParts(name) {
      assertFileName(name)
      const path = toTemporaryPath(name)
      await inStore(makeDirectory(dirname(path)))
      await inStore(requireSpace())
      const file = await inStore(open(path, 'w', 0o600))
      await file.close()
      return {}
    },
    async receivePart(name, _state, content, { offset, limitBytes }) {
      assertFileName(name)
      await inStore(requireSpace())
      // A file of its own: another server may receive the same part, with other bytes.
      const partPath = `${toTemporaryPath(name)}.${createRandomId()}`
      const discard = () => rm(partPath, { force: true }).catch(() => {}) // a job removes it with the content
      const file = await inStore(open(partPath, 'wx', 0o600))
      let byteCount = 0
      try {
        for await (const chunk of content) {
          byteCount += chunk.length
          if (byteCount > limitBytes) throw new FileStoreError('too_large', `The part exceeds ${limitBytes} bytes`)
          await inStore(writeAll(file, chunk))
        }
      } catch (error) {
        await discard()
        throw error
      } finally {
        await file.close()
      }
      return {
        byteCount,
        async add() {
          await inStore(copyInto(toTemporaryPath(name), partPath, offset))
          await discard()
          return {}
        },
        discard,
      }
    },
    async finishParts(name, _state, byteCount) {
      const path = toPath(name)
      await inStore(makeDirectory(dirname(path)))
      try {
        await inStore(renameComplete(toTemporaryPath(name), path, byteCount))
      } catch (error) {
        // Another server, or this one before it crashed, has completed it.
        const { size } = await stat(path).catch(() => ({ size: -1 }))
        if (size !== byteCount) throw error
      }
      await inStore(syncDirectory(dirname(path)))
      // Nothing else would remove them as long as the content is there. Those that cannot be removed go with it.
      await removeParts(new Set([basename(name)])).catch(() => {})
    },
    async cancelParts(name) {
      await this.remove([name])
    },
    async read(name, range) {
      assertFileName(name)
      const file = await inStore(open(toPath(name), 'r').catch(reportMissing))
      return file.createReadStream(range ?? {})
    },
    async remove(names) {
      for (const name of names) {
        if (!isProjectName(name)) assertFileName(name)
        await inStore(rm(toPath(name), { force: true, recursive: isProjectName(name) }))
        if (!isProjectName(name)) await inStore(rm(toTemporaryPath(name), { force: true }))
      }
      await removeParts(new Set(names.map((name) => basename(name))))
    },
    async list(after) {
      const names: string[] = []
      for (const project of await listEntries(directory)) {
        if (project < after.slice(0, project.length) || !isProjectName(`${project}/`)) continue
        for (const part of await listEntries(join(directory, project))) {
          const folder = `${project}/${part}`
          if (folder < after.slice(0, folder.length)) continue
          const files = await listEntries(join(directory, folder))
          names.push(...files.map((file) => `${folder}/${file}`).filter((name) => name > after))
          if (names.length >= NAMES_PER_PAGE) return names.slice(0, NAMES_PER_PAGE)
        }
      }
      return names
    },
    async check() {
      await inStore(checkSpace())
    },
    readMarker,
    async writeMarker(text) {
      // A server that was killed here has left its file, and no marker: the next one comes here again.
      await removeParts(new Set([MARKER_NAME.split('.', 1)[0] ?? '']))
      await writeAtomically(MARKER_NAME, (write) => write(Buffer.from(text)))
    },
  }
}

type FileWriter = (chunk: Uint8Array) => Promise<void>
type OpenFile = Awaited<ReturnType<typeof open>>

/** @param position in the file; by default, after what was written last */
async function writeAll(file: OpenFile, chunk: Uint8Array, position: number | null = null): Promise<void> {
  for (let offset = 0; offset < chunk.length;) {
    const target = position === null ? null : position + offset
    const { bytesWritten } = await file.write(chunk, offset, chunk.length - offset, target)
    offset += bytesWritten
  }
}

const COPIED_BYTES = 1024 * 1024

/** Copies a part into a content, durably. What a crash has left behind the offset is overwritten. */
async function copyInto(path: string, partPath: string, offset: number): Promise<void> {
  const content = await open(path, 'r+')
  try {
    const part = await open(partPath, 'r')
    try {
      const buffer = Buffer.allocUnsafe(COPIED_BYTES)
      for (let position = offset; ;) {
        const { bytesRead } = await part.read(buffer, 0, COPIED_BYTES)
        if (bytesRead === 0) break
        await writeAll(content, buffer.subarray(0, bytesRead), position)
        position += bytesRead
      }
    } finally {
      await part.close()
    }
    await content.datasync()
  } finally {
    await content.close()
  }
}

/** Gives a content of which all parts are on the disk its name. */
async function renameComplete(temporaryPath: string, path: string, byteCount: number): Promise<void> {
  await truncate(temporaryPath, byteCount)
  await rename(temporaryPath, path)
}

/** Does what needs a directory, and creates it if it is missing, which is rare. */
async function withDirectory<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isMissing(error)) throw error
    await makeDirectory(path)
    return await work()
  }
}

/** Creates a directory, so that it is still there after a crash. */
async function makeDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let created = path; ; created = dirname(created)) {
    await syncDirectory(dirname(created))
    if (created === first || created === dirname(created)) return
  }
}

async function syncDirectory(path: string): Promise<void> {
  // Windows opens no directories; its file system keeps the order of changes.
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

async function listEntries(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).toSorted()
  } catch (error) {
    // A file in place of a directory is none of ours; a directory may have gone meanwhile.
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return []
    throw toStoreError(error)
  }
}

const inStore = <T>(operation: Promise<T>): Promise<T> =>
  operation.catch((error: unknown) => {
    throw toStoreError(error)
  })

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

function toStoreError(error: unknown): unknown {
  if (error instanceof FileStoreError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return new FileStoreError('full', message, error)
  return new FileStoreError('unavailable', message, error)
}
