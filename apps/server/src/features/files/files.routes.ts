import { getFileContent, getFileText } from '@caseward/contract/files'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { formatDisposition } from './content-headers.ts'
import { readText, requireTextRange } from './read-text.ts'
import { requireFile, sendFile, toReadProblem } from './send-file.ts'

export function filesRoutes(app: App, deps: Pick<Deps, 'db' | 'fileStore'>): void {
  app.route({
    ...getFileContent,
    handler: async (request, reply) => {
      const { id: projectId } = requireProject(request)
      const file = await requireFile(deps.db, projectId, request.params.file_id)
      const { name = 'file', download } = request.query
      const disposition = formatDisposition(file.mediaType, name, download === 1)
      return await sendFile(request, reply, { file, disposition, projectId, ...deps })
    },
  })

  app.route({
    ...getFileText,
    handler: async (request) => {
      const { id: projectId } = requireProject(request)
      const file = await requireFile(deps.db, projectId, request.params.file_id)
      const range = requireTextRange(file, request.query)
      try {
        const store = await deps.fileStore.getAt(file.location)
        return { data: await readText(store, projectId, file, range) }
      } catch (error) {
        throw await toReadProblem(request, { db: deps.db, projectId, file }, error)
      }
    },
  })
}
