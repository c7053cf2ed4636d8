import { getMe } from '@caseward/client/endpoints'
import type { QueryClient } from '@tanstack/react-query'

import { outboxApi } from '../api.ts'
import { browserStorage } from '../browser-storage.ts'
import type { Drafts } from '../drafts/drafts.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { queryKeys } from '../query-keys.ts'
import { request, RequestFailed } from '../request-failed.ts'
import { createTabLock } from '../tab-lock.ts'
import { createBlobStore } from './blob-store.ts'
import { cancelFileUpload } from './cancel-file-upload.ts'
import { saveCommentFile } from './comment-files.ts'
import { showAttached } from './show-attached.ts'
import { sendUpload } from './send-upload.ts'
import { createUploads, type Uploads } from './uploads.ts'

let started: { readonly outbox: Outbox; readonly uploads: Uploads; readonly stop: () => void } | null = null

/** Returns the files of the user of an outbox that wait, and starts sending them, once in each window. */
export function startUploads(userId: string, outbox: Outbox, drafts: Drafts, queryClient: QueryClient): Uploads {
  if (started?.outbox === outbox) return started.uploads
  started?.stop()
  const uploads = createUploads({
    userId,
    storage: browserStorage,
    blobs: createBlobStore((globalThis as Partial<typeof globalThis>).indexedDB),
    lock: createTabLock((navigator as Partial<Navigator>).locks),
    events: window,
    send: sendUpload,
    onCancel({ place, fileUploadId }) {
      if (fileUploadId !== null) void cancelFileUpload(place.projectId, fileUploadId)
    },
    checkUser: () => checkUser(userId),
    mayBegin: () => outbox.getSnapshot().waitingCount === 0,
    hasFocus: () => document.hasFocus(),
    onAttached(entry, attachment) {
      saveCommentFile(drafts, entry, attachment.id)
      showAttached(queryClient, entry.place, attachment)
    },
    onForbidden: () => void queryClient.invalidateQueries({ queryKey: queryKeys.projects() }),
  })
  const askBeforeLoss = (event: BeforeUnloadEvent) => {
    if (uploads.getSnapshot().unstoredCount > 0) event.preventDefault()
  }
  window.addEventListener('beforeunload', askBeforeLoss)
  const stopSending = uploads.start()
  // Files wait for results.
  const unsubscribe = outbox.subscribe(() => {
    if (outbox.getSnapshot().waitingCount === 0 && uploads.getSnapshot().phase === 'sending') uploads.retryNow()
  })
  const stop = () => {
    window.removeEventListener('beforeunload', askBeforeLoss)
    unsubscribe()
    stopSending()
  }
  started = { outbox, uploads, stop }
  return uploads
}

async function checkUser(userId: string): ReturnType<Parameters<typeof createUploads>[0]['checkUser']> {
  try {
    const { data } = await request(outboxApi, getMe)
    return data.data.id === userId ? 'same' : 'other'
  } catch (error) {
    return error instanceof RequestFailed && error.reply.kind === 'problem' && error.reply.status === 401
      ? 'ended'
      : 'unknown'
  }
}
