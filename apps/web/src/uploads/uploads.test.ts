import type { Attachment } from '@caseward/client/endpoints'
import { describe, expect, it, vi } from 'vitest'

import { createBrowserStorage } from '../browser-storage.ts'
import { createDrafts } from '../drafts/drafts.ts'
import { MemoryStorage } from '../memory-storage.test.helper.ts'
import type { BlobStore } from './blob-store.ts'
import {
  commentItem,
  findUploadIds,
  formatUpload,
  readCommentFiles,
  replaceUploads,
  saveCommentFile,
} from './comment-files.ts'
import type { UploadOutcome } from './send-upload.ts'
import { createUploads, type UploadsOptions } from './uploads.ts'

const place = { kind: 'result', projectId: 'p', runId: 'r', resultId: 't' } as const
const attached: UploadOutcome = { kind: 'attached', attachment: { id: 'a' } as Attachment }
const file = (name: string, size = 3) => new File(['x'.repeat(size)], name, { type: 'text/plain' })

function createMemoryBlobs(isFull = false): BlobStore {
  const contents = new Map<string, Blob>()
  return {
    put: async (id, content) => {
      if (!isFull) contents.set(id, content)
      return !isFull
    },
    get: async (id) => contents.get(id) ?? null,
    remove: async (id) => void contents.delete(id),
  }
}

/** A server that answers each file in turn, the last answer again and again. */
function startUploads(answers: UploadOutcome[], changes: Partial<UploadsOptions> = {}, memory = new MemoryStorage()) {
  const sent: { name: string; key: string }[] = []
  let answerIndex = 0
  const options: UploadsOptions = {
    userId: 'ada',
    storage: createBrowserStorage(() => memory),
    blobs: createMemoryBlobs(),
    lock: { run: async (_, task) => await task() },
    events: new EventTarget(),
    send: async ({ name, key }) => {
      sent.push({ name, key })
      const answer = answers[Math.min(answerIndex, answers.length - 1)] ?? attached
      answerIndex += 1
      return answer
    },
    onCancel: vi.fn<UploadsOptions['onCancel']>(),
    checkUser: async () => 'same',
    mayBegin: () => true,
    hasFocus: () => true,
    onAttached: vi.fn<UploadsOptions['onAttached']>(),
    onForbidden: vi.fn<UploadsOptions['onForbidden']>(),
    delays: { firstRetry: 5, longestRetry: 5, session: 5, takeover: 5 },
    ...changes,
  }
  const uploads = createUploads(options)
  const stop = uploads.start()
  const names = () => sent.map(({ name }) => name)
  return { uploads, options, stop, sent, names, memory }
}

describe('uploads', () => {
  it('send every file once, and forget it then', async () => {
    const { uploads, names, options, memory } = startUploads([attached])
    uploads.add(place, [file('a.png'), file('b.png'), file('c.png')])
    expect(uploads.getSnapshot().entries.map(({ name }) => name)).toEqual(['a.png', 'b.png', 'c.png'])
    await vi.waitFor(() => expect(uploads.getSnapshot().entries).toEqual([]))
    expect(names().toSorted()).toEqual(['a.png', 'b.png', 'c.png'])
    expect(options.onAttached).toHaveBeenCalledTimes(3)
    expect(memory.items.size).toBe(0)
  })

  it('send at most two files at the same time', async () => {
    let running = 0
    let most = 0
    const { uploads } = startUploads([], {
      send: async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setTimeout(resolve, 5))
        running -= 1
        return attached
      },
    })
    uploads.add(
      place,
      ['a', 'b', 'c', 'd', 'e'].map((name) => file(name)),
    )
    await vi.waitFor(() => expect(uploads.getSnapshot().entries).toEqual([]))
    expect(most).toBe(2)
  })

  it('wait until results are saved', async () => {
    let isBusy = true
    const { uploads, names } = startUploads([attached], { mayBegin: () => !isBusy })
    uploads.add(place, [file('a.png')])
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(names()).toEqual([])
    isBusy = false
    uploads.retryNow()
    await vi.waitFor(() => expect(names()).toEqual(['a.png']))
  })

  it('try again with the same key while the server does not answer, so that nothing is attached twice', async () => {
    const retry: UploadOutcome = { kind: 'retry', message: 'No answer.', delayMs: 1, hasFailed: false }
    const { uploads, sent } = startUploads([retry, retry, attached])
    uploads.add(place, [file('a.png')])
    await vi.waitFor(() => expect(uploads.getSnapshot().entries).toEqual([]))
    expect(sent.length).toBe(3)
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
  })

  it('keep what the server refuses with its reason, send the others, and take another key when the user tries again', async () => {
    const refused: UploadOutcome = { kind: 'refused', message: 'Too large.', isForbidden: true }
    const { uploads, sent, options } = startUploads([refused, attached])
    uploads.add(place, [file('a.png'), file('b.png')])
    await vi.waitFor(() => expect(uploads.getSnapshot().entries.map(({ problem }) => problem)).toEqual(['Too large.']))
    expect(options.onForbidden).toHaveBeenCalledOnce()
    uploads.retry(uploads.getSnapshot().entries[0]?.id ?? '')
    await vi.waitFor(() => expect(uploads.getSnapshot().entries).toEqual([]))
    const keys = sent.filter(({ name }) => name === 'a.png').map(({ key }) => key)
    expect(new Set(keys).size).toBe(2)
  })

  it('are there again in another window, and are not sent as another user', async () => {
    const blobs = createMemoryBlobs()
    const first = startUploads([], { blobs, checkUser: async () => 'other' })
    first.uploads.add(place, [file('a.png')])
    await vi.waitFor(() => expect(first.uploads.getSnapshot().phase).toBe('other-user'))
    expect(first.names()).toEqual([])
    first.stop()
    const second = startUploads([attached], { blobs }, first.memory)
    await vi.waitFor(() => expect(second.names()).toEqual(['a.png']))
  })

  it('stay in memory when the browser has no room, which is known', async () => {
    const { uploads, stop } = startUploads([attached], { blobs: createMemoryBlobs(true), mayBegin: () => false })
    uploads.add(place, [file('a.png')])
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(uploads.getSnapshot().unstoredCount).toBe(1)
    expect(await (await uploads.getContent(uploads.getSnapshot().entries[0]?.id ?? ''))?.text()).toBe('xxx')
    stop()
  })

  it('go on in another window with the upload in parts that has begun, and tell the server when it is given up', async () => {
    const blobs = createMemoryBlobs()
    const begun: (string | null)[] = []
    const stuck: UploadsOptions['send'] = (entry, _, { onBegin, signal }) => {
      begun.push(entry.fileUploadId)
      onBegin('upload-1')
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'canceled' })))
    }
    const first = startUploads([], { blobs, send: stuck })
    first.uploads.add(place, [file('video.mp4')])
    await vi.waitFor(() => expect(begun).toEqual([null]))
    const second = startUploads([], { blobs, send: stuck }, first.memory)
    await vi.waitFor(() => expect(begun).toEqual([null, 'upload-1']))
    const [entry] = second.uploads.getSnapshot().entries
    second.uploads.cancel(entry?.id ?? '')
    expect(second.options.onCancel).toHaveBeenCalledWith({ ...entry, fileUploadId: 'upload-1' })
  })

  it('say when the browser has removed their content', async () => {
    const blobs = { ...createMemoryBlobs(), get: async () => null }
    const { uploads, names } = startUploads([attached], { blobs })
    uploads.add(place, [file('a.png')])
    await vi.waitFor(() => expect(uploads.getSnapshot().entries[0]?.problem).toContain('removed the file'))
    expect(names()).toEqual([])
  })

  it('end the request of a file that is canceled', async () => {
    const { uploads } = startUploads([], {
      send: (_, __, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'canceled' }))),
    })
    uploads.add(place, [file('a.png')])
    await vi.waitFor(() => expect(uploads.getSnapshot().progress.size).toBe(1))
    uploads.cancel(uploads.getSnapshot().entries[0]?.id ?? '')
    await vi.waitFor(() => expect(uploads.getSnapshot()).toMatchObject({ entries: [], phase: 'idle' }))
    expect(uploads.getSnapshot().progress.size).toBe(0)
  })
})

describe('pictures of a comment', () => {
  it('are named by their upload until the server has them, also after a reload', () => {
    const memory = new MemoryStorage()
    const drafts = () =>
      createDrafts(
        'ada',
        createBrowserStorage(() => memory),
      )
    const comment = commentItem(place, null)
    const [a, b] = startUploads([], { mayBegin: () => false }).uploads.add(
      place,
      [file('a[1].png'), file('b.png')],
      comment,
    )
    if (a === undefined || b === undefined) throw new Error('two entries expected')
    const text = `first ${formatUpload(a)} then ${formatUpload(b)}`
    expect(findUploadIds(text)).toEqual([a.id, b.id])
    saveCommentFile(drafts(), a, 'attachment-a')
    saveCommentFile(drafts(), { ...b, comment: null }, 'of no comment')
    const files = readCommentFiles(drafts(), comment)
    expect(replaceUploads(text, files)).toBe(`first ![a1.png](attachment:attachment-a) then ![b.png](upload:${b.id})`)
    saveCommentFile(drafts(), b, 'attachment-b')
    expect([...readCommentFiles(drafts(), comment).values()]).toEqual(['attachment-a', 'attachment-b'])
  })
})
