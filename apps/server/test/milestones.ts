import { v7 as uuidv7 } from 'uuid'

import type { TestServer } from './server.ts'

/** A milestone, straight into the database: it has no endpoint yet. */
export async function makeMilestone({ db }: TestServer, projectId: string): Promise<string> {
  const id = uuidv7()
  await db.insertInto('milestones').values({ project_id: projectId, id, name: 'Release 1' }).execute()
  return id
}
