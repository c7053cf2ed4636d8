import { getFileContent, getFileText } from '@caseward/contract/files'

import { requirePrincipal, requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { formatDisposition } from './content-headers.ts'
import { redirectToFilesOrigin } from './files-origin.ts'
import { openContent } from './read-content.ts'
import { readText, requireTextRange } from './read-text.ts'
import { requireFile, sendFile, toReadProblem } from './send-file.ts'

export function filesRoutes(app: App, deps: Deps): void {
  app.route({
    ...getFileContent,
    handler: async (request, reply) => {
      const { id: projectId } = requireProject(request)
      const file = await requireFile(deps.db, projectId, request.params.file_id)
      const { name = 'file', download } = request.query
      const principal = requirePrincipal(request)
      const isDownload = download === 1
      // A browser sends no token: what has one runs nothing of what it receives.
      if (principal.kind === 'session') {
        const content = { projectId, fileId: file.id, viewerId: principal.userId, name, isDownload }
        const redirected = await redirectToFilesOrigin(request, reply, deps, content)
        if (redirected !== null) return redirected
      }
      const disposition = formatDisposition(file.mediaType, name, isDownload)
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
        return { data: await readText((part) => openContent(deps, projectId, file, part), file, range) }
      } catch (error) {
        throw toReadProblem(request, error)
      }
    },
  })
}
