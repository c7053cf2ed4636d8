import { createFairSlots } from '../../platform/fair-slots.ts'
import { LOCATION, type Location } from '../../platform/files/file-store.ts'
import { filesBusyProblem } from './file-problems.ts'

/** Limits the files that a server receives at the same time. */
export interface FileBodies {
  /**
   * Waits until another file may be received, and returns the function to call when it has been.
   * @param ownerId whose files count together
   * @throws {Problem} 503 when there are too many for too long
   */
  take(location: Location, ownerId: string): Promise<() => void>
}

const MAX_BODIES = 64
/** With S3, each takes up to 32 MB of memory: parts are collected before they are sent. */
const MAX_S3_BODIES = 12
const MAX_BODIES_PER_OWNER = 8
const MAX_WAIT_MS = 5000

export function createFileBodies(): FileBodies {
  const limits = { maxPerOwner: MAX_BODIES_PER_OWNER, maxWaitMs: MAX_WAIT_MS, createTimeoutError: filesBusyProblem }
  const slots = {
    [LOCATION.directory]: createFairSlots({ count: MAX_BODIES, ...limits }),
    [LOCATION.s3]: createFairSlots({ count: MAX_S3_BODIES, ...limits }),
  }
  return { take: (location, ownerId) => slots[location].take(ownerId) }
}
