import { browserStorage } from '../browser-storage.ts'

/** The keys in storage of what is known of files that wait, of all users. */
export const UPLOAD_PREFIX = 'caseward:upload:'

/** Whether an earlier visit has left files of any user that wait. Without the code that sends them. */
export const hasUploads = (): boolean => browserStorage.list(UPLOAD_PREFIX).length > 0
