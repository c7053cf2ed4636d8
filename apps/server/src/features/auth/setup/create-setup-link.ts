import type { Database } from '../../../platform/database/connect.ts'
import { deleteExpiredSetupLinks, hasUsers, insertSetupLink, lockFirstUser } from './setup.queries.ts'

/**
 * Creates a link for creating the first account, and returns its secret; null when there are users already. Each server
 * creates a link at each start. All links are valid until one of them is used.
 */
export async function createSetupLink(db: Database): Promise<string | null> {
  return await db.transaction().execute(async (tx) => {
    await lockFirstUser(tx)
    if (await hasUsers(tx)) return null
    await deleteExpiredSetupLinks(tx)
    return await insertSetupLink(tx)
  })
}
