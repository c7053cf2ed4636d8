import { listMyProjects } from '@caseward/contract/my-projects'
import * as contract from '@caseward/contract/projects'

import type { Deps } from '../../deps.ts'
import { formatJsonPage, parsePage } from '../../platform/http/pagination.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { requireUserId, requirePrincipal, requireProject } from '../../access/request.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { requireProjectCreation } from '../admin/require-project-creation.ts'
import { getActor } from '../audit/record-audit.ts'
import { changeProject } from './change-project.ts'
import { createProject } from './create-project.ts'
import { deleteProject } from './delete-project.ts'
import { selectMyProjects } from './my-projects.queries.ts'
import { presentProject } from './present-project.ts'
import * as projects from './projects.queries.ts'

export function projectsRoutes(app: App, { db, principalCache, projectCache }: Deps): void {
  app.route({
    ...contract.listProjects,
    handler: async (request, reply) => {
      const page = parsePage(request.query)
      const items = await projects.selectReachableProjects(db, requirePrincipal(request), page)
      if (items === null) throw notFoundProblem('project')
      return sendJson(reply, formatJsonPage(items, page))
    },
  })

  app.route({
    ...listMyProjects,
    handler: async (request, reply) => {
      const list = await selectMyProjects(db, requireUserId(request))
      if (list === null) throw notFoundProblem('user')
      return sendJson(reply, `{"data":${list.items},"meta":{"total":${list.total}}}`)
    },
  })

  app.route({
    ...contract.getProject,
    handler: async (request) => {
      const project = await projects.selectProject(db, requireProject(request).id)
      if (project === undefined) throw notFoundProblem('project')
      return { data: presentProject(project) }
    },
  })

  app.route({
    ...contract.createProject,
    onRequest: requireProjectCreation({ db }),
    handler: async (request, reply) => {
      const { name, prefix, description = '' } = request.body
      const fields = { name, prefix, description, adminId: requireUserId(request) }
      const project = await createProject(db, getActor(request), fields)
      principalCache.clear()
      return reply.code(201).send({ data: presentProject(project) })
    },
  })

  app.route({
    ...contract.updateProject,
    handler: async (request) => {
      const { name, description } = request.body
      const { id: projectId } = requireProject(request)
      const project = await changeProject(db, getActor(request), projectId, { name, description })
      if (project === undefined) throw notFoundProblem('project')
      const { id, prefix, updated_at } = presentProject(project)
      return { data: { id, name: project.name, prefix, description: project.description, updated_at } }
    },
  })

  app.route({
    ...contract.deleteProject,
    handler: async (request) => {
      const { id } = requireProject(request)
      const name = await deleteProject(db, getActor(request), id)
      projectCache.evictProject(id)
      principalCache.clear()
      if (name === null) throw notFoundProblem('project')
      return { message: `Project ${name} was deleted with all its test cases, runs and results.` }
    },
  })
}
