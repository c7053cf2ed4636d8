import * as contract from '@caseward/contract/configurations'
import * as instance from '@caseward/contract/instance-configurations'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { getActor } from '../audit/record-audit.ts'
import { createConfiguration, deleteConfiguration, updateConfiguration } from './change-configurations.ts'
import {
  type ConfigurationRow,
  presentConfiguration,
  selectConfigurations,
  selectUsableConfigurations,
} from './configurations.queries.ts'

export function configurationsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listConfigurations,
    handler: async (request) => {
      return presentList(await selectUsableConfigurations(db, requireProject(request).id), request.query)
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

  app.route({
    ...instance.listInstanceConfigurations,
    handler: async ({ query }) => presentList(await selectConfigurations(db, null), query),
  })

  app.route({
    ...instance.createInstanceConfiguration,
    handler: async (request, reply) => {
      const created = await createConfiguration(db, getActor(request), null, request.body)
      return reply.code(201).send({ data: created })
    },
  })

  app.route({
    ...instance.updateInstanceConfiguration,
    handler: async (request) => {
      const { configuration_id: id } = request.params
      return { data: await updateConfiguration(db, getActor(request), null, id, request.body) }
    },
  })

  app.route({
    ...instance.deleteInstanceConfiguration,
    handler: async (request, reply) => {
      await deleteConfiguration(db, getActor(request), null, request.params.configuration_id)
      return reply.code(204).send(null)
    },
  })
}

/** Presents those that are retired or not, or all. */
function presentList(rows: readonly ConfigurationRow[], { retired = 'any' }: { retired?: 'true' | 'false' | 'any' }) {
  const data = rows
    .filter(({ retired_at: at }) => retired === 'any' || (at !== null) === (retired === 'true'))
    .map(presentConfiguration)
  return { data, meta: { total: data.length } }
}
