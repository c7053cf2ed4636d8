import * as contract from '@caseward/contract/configurations'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { getActor } from '../audit/record-audit.ts'
import { createConfiguration, deleteConfiguration, updateConfiguration } from './change-configurations.ts'
import { presentConfiguration, selectConfigurations } from './configurations.queries.ts'

export function configurationsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listConfigurations,
    handler: async (request) => {
      const { retired = 'any' } = request.query
      const rows = await selectConfigurations(db, requireProject(request).id)
      const data = rows
        .filter(({ retired_at: at }) => retired === 'any' || (at !== null) === (retired === 'true'))
        .map(presentConfiguration)
      return { data, meta: { total: data.length } }
    },
  })

  app.route({
    ...contract.createConfiguration,
    handler: async (request, reply) => {
      const created = await createConfiguration(db, getActor(request), requireProject(request).id, request.body)
      return reply.code(201).send({ data: created })
    },
  })

  app.route({
    ...contract.updateConfiguration,
    handler: async (request) => {
      const { configuration_id: id } = request.params
      return { data: await updateConfiguration(db, getActor(request), requireProject(request).id, id, request.body) }
    },
  })

  app.route({
    ...contract.deleteConfiguration,
    handler: async (request, reply) => {
      await deleteConfiguration(db, getActor(request), requireProject(request).id, request.params.configuration_id)
      return reply.code(204).send(null)
    },
  })
}
