import { sendRequest } from './send-request.ts'

/** Tells the server to forget what it has received of a file that is given up. It would do so after a day. */
export async function cancelFileUpload(projectId: string, fileUploadId: string): Promise<void> {
  const url = `/v1/projects/${encodeURIComponent(projectId)}/file-uploads/${fileUploadId}`
  await sendRequest({ method: 'DELETE', url, signal: new AbortController().signal })
}
