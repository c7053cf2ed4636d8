import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'

import { api } from '../../api.ts'
import { browserStorage } from '../../browser-storage.ts'
import { describeFailure } from '../../problems.ts'
import { request, RequestFailed } from '../../request-failed.ts'
import { createTabLock } from '../../tab-lock.ts'
import { createBlobStore } from '../../uploads/blob-store.ts'
import { cancelFileUpload } from '../../uploads/cancel-file-upload.ts'
import { sendFileInParts } from '../../uploads/send-file-in-parts.ts'
import { createImport } from './import-endpoints.ts'
import { importsKey } from './import-queries.ts'
import { createImportSender, type ImportSender, type SendingState } from './import-sender.ts'
import { createWaitingFiles } from './waiting-file.ts'

/** By user and project. They send on while another page is open. */
const senders = new Map<string, ImportSender>()

function getImportSender(userId: string, projectId: string, queryClient: QueryClient): ImportSender {
  const key = `${userId} ${projectId}`
  const known = senders.get(key)
  if (known !== undefined) return known
  const blobs = createBlobStore((globalThis as Partial<typeof globalThis>).indexedDB)
  const sender = createImportSender({
    projectId,
    files: createWaitingFiles(userId, browserStorage, blobs),
    lock: createTabLock((navigator as Partial<Navigator>).locks),
    async send({ name, key: idempotencyKey, fileUploadId }, content, options) {
      const sent = await sendFileInParts(projectId, { name, content, fileUploadId }, options)
      if (!('fileId' in sent)) throw new RequestFailed(sent)
      const headers = { 'idempotency-key': idempotencyKey }
      const body = { file_id: sent.fileId, name }
      const { data } = await request(api, createImport, { params: { project_id: projectId }, headers, body })
      await queryClient.invalidateQueries({ queryKey: importsKey(projectId) })
      return data.data
    },
    onCancel: (fileUploadId) => void cancelFileUpload(projectId, fileUploadId),
    describe(error) {
      const { message, canRetry, kind } = describeFailure(error, { hasInput: false })
      return { message, canRetry: canRetry || kind === 'session-ended' }
    },
  })
  window.addEventListener('beforeunload', (event) => {
    if (sender.hasUnstored()) event.preventDefault()
  })
  senders.set(key, sender)
  return sender
}

/** Sends files to import, and goes on with the one that an earlier visit has left. */
export function useImportSender(userId: string, projectId: string): [ImportSender, SendingState] {
  const queryClient = useQueryClient()
  const sender = useMemo(() => getImportSender(userId, projectId, queryClient), [userId, projectId, queryClient])
  useEffect(() => sender.resume(), [sender])
  return [sender, useSyncExternalStore(sender.subscribe, sender.getSnapshot)]
}
