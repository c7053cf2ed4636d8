import { useUploads } from './use-uploads.ts'

/** Sends the files that an earlier visit has left, on whatever page the app is opened. */
export function UploadSender() {
  useUploads()
  return null
}
