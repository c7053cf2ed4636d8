import { createProject, deleteProject, getProject, listProjects, updateProject } from '@caseward/contract/projects'

import type { Deps } from '../../deps.ts'
import { listOf, textOf, timeOf, wordOf } from '../../platform/http/json-text.ts'
import { jsonPage, pageOf } from '../../platform/http/pagination.ts'
import { type App, personOf, principalOf, projectOf, sendJson } from '../../access/request.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { notFound } from '../../platform/http/problems.ts'
import * as projects from './projects.queries.ts'

export function projectsRoutes(app: App, { db, principals, places }: Deps): void {
  app.route({
    ...listProjects,
    handler: async (request, reply) => {
      const page = pageOf(request.query)
      const { rows, total } = await projects.selectReachableProjects(db, principalOf(request), page)
      return sendJson(reply, jsonPage(listOf(rows.map(presentListed)), total, page))
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

/** A project as JSON, with the fields that lists show. */
function presentListed(row: projects.ListedProject): string {
  const [id, name, prefix, testCaseCount, runCount, createdAt, updatedAt] = row
  return (
    `{"id":${wordOf(id)},"name":${textOf(name)},"prefix":${wordOf(prefix)},"test_case_count":${testCaseCount},` +
    `"run_count":${runCount},"created_at":${timeOf(createdAt)},"updated_at":${timeOf(updatedAt)}}`
  )
}
