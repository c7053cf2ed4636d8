import type { Drafts } from '../../drafts/drafts.ts'
import { getCaseItem } from '../../drafts/unsent-cases.ts'

/** So long a copy waits for what was typed. */
const MAX_WAIT_MS = 5000

/**
 * Waits until the server has what was typed into test cases, so that their copies have it, too.
 * @returns the ids of those that it still lacks after a while
 */
export async function waitUntilSaved(
  drafts: Pick<Drafts, 'read' | 'subscribe'>,
  projectId: string,
  ids: readonly string[],
  maxWaitMs = MAX_WAIT_MS,
): Promise<string[]> {
  const listUnsaved = () => ids.filter((id) => drafts.read(getCaseItem(projectId, id)) !== null)
  if (listUnsaved().length === 0) return []
  return await new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      stop()
      resolve(listUnsaved())
    }
    const timer = setTimeout(finish, maxWaitMs)
    const stop = drafts.subscribe(() => {
      if (listUnsaved().length === 0) finish()
    })
  })
}
