import { createProject, deleteProject, getProject, listProjects, updateProject } from '@casebook/contract/projects'

import type { Deps } from '../../deps.ts'
import { jsonPage, pageOf } from '../../http/pagination.ts'
import { type App, personOf, principalOf, projectOf, sendJson } from '../../http/request.ts'
import { presentTime } from '../../http/timestamps.ts'
import { notFound } from '../../problems.ts'
import * as projects from './projects.queries.ts'

export function projectsRoutes(app: App, { db, principals, places }: Deps): void {
  app.route({
    ...listProjects,
    handler: async (request, reply) => {
      const page = pageOf(request.query)
      const found = await projects.selectReachableProjects(db, principalOf(request), page)
      if (found === null) throw notFound('project')
      return sendJson(reply, jsonPage(found, page))
    },
  })

  app.route({
    ...getProject,
    handler: async (request) => {
      const project = await projects.selectProject(db, projectOf(request).id)
      if (project === undefined) throw notFound('project')
      return { data: presentProject(project) }
    },
  })

  app.route({
    ...createProject,
    handler: async (request, reply) => {
      const { name, prefix, description = '' } = request.body
      const project = await projects.insertProject(db, { name, prefix, description, adminId: personOf(request) })
      principals.forget()
      return reply.code(201).send({ data: presentProject(project) })
    },
  })

  app.route({
    ...updateProject,
    handler: async (request) => {
      const { name, description } = request.body
      const project = await projects.updateProject(db, projectOf(request).id, { name, description })
      if (project === undefined) throw notFound('project')
      const { id, prefix, updated_at } = presentProject(project)
      return { data: { id, name: project.name, prefix, description: project.description, updated_at } }
    },
  })

  app.route({
    ...deleteProject,
    handler: async (request) => {
      const { id } = projectOf(request)
      const name = await projects.deleteProject(db, id)
      places.forgetProject(id)
      principals.forget()
      if (name === null) throw notFound('project')
      return { message: `Project ${name} was deleted with all its test cases, runs and results.` }
    },
  })
}

function presentProject({ created_at, updated_at, ...project }: projects.ProjectRow) {
  return { ...project, created_at: presentTime(created_at), updated_at: presentTime(updated_at) }
}
