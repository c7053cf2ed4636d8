import * as contract from '@caseward/contract/folders'

import type { Deps } from '../../deps.ts'
import { isUuid } from '../../platform/http/ids.ts'
import type { App } from '../../platform/http/app.ts'
import { requireProject } from '../../access/request.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { getActor } from '../audit/record-audit.ts'
import { createFolder } from './create-folder.ts'
import { deleteFolder } from './delete-folder.ts'
import * as folders from './folders.queries.ts'
import { sortForDisplay } from './folder-tree.ts'
import { updateFolder } from './update-folder.ts'

export function foldersRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listFolders,
    handler: async (request) => {
      const rows = await folders.selectFolders(db, requireProject(request).id)
      return { data: sortForDisplay(rows).map(presentFolder) }
    },
  })

  app.route({
    ...contract.createFolder,
    handler: async (request, reply) => {
      const folder = await createFolder(db, requireProject(request).id, request.body)
      return reply.code(201).send({ data: presentFolder(folder) })
    },
  })

  app.route({
    ...contract.updateFolder,
    handler: async (request) => {
      const { folder_id: id } = request.params
      if (!isUuid(id)) throw notFoundProblem('folder')
      const folder = await updateFolder(db, requireProject(request).id, id, request.body)
      return { data: presentFolder(folder) }
    },
  })

  app.route({
    ...contract.deleteFolder,
    handler: async (request) => {
      const { folder_id: id } = request.params
      const { id: projectId } = requireProject(request)
      const name = isUuid(id) ? await deleteFolder(db, getActor(request), projectId, id) : null
      if (name === null) throw notFoundProblem('folder')
      return { message: `Folder ${name} was deleted. Its test cases and subfolders were moved one level up.` }
    },
  })
}

function presentFolder({ created_at, updated_at, ...folder }: folders.FolderRow) {
  return { ...folder, created_at: presentTime(created_at), updated_at: presentTime(updated_at) }
}
