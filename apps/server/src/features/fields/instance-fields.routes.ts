import * as contract from '@caseward/contract/instance-fields'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { getActor } from '../audit/record-audit.ts'
import { createField, deleteField, restoreField, retireField, updateField } from './change-fields.ts'
import { listInstanceFields, listOfferedFields, setInstanceField, withUses } from './instance-fields.ts'

export function instanceFieldsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listInstanceFields,
    handler: async ({ query: { subject = 'case' } }) => {
      const data = await listInstanceFields(db, subject)
      return { data, meta: { total: data.length } }
    },
  })

  app.route({
    ...contract.createInstanceField,
    handler: async (request, reply) => {
      const field = await createField(db, getActor(request), null, request.body)
      return reply.code(201).send({ data: { ...field, project_count: 0 } })
    },
  })

  app.route({
    ...contract.updateInstanceField,
    handler: async (request) => {
      const { field_id: id } = request.params
      return { data: await withUses(db, await updateField(db, getActor(request), null, id, request.body)) }
    },
  })

  app.route({
    ...contract.retireInstanceField,
    handler: async (request) => ({
      data: await withUses(db, await retireField(db, getActor(request), null, request.params.field_id)),
    }),
  })

  app.route({
    ...contract.restoreInstanceField,
    handler: async (request) => ({
      data: await withUses(db, await restoreField(db, getActor(request), null, request.params.field_id)),
    }),
  })

  app.route({
    ...contract.deleteInstanceField,
    handler: async (request, reply) => {
      await deleteField(db, getActor(request), null, request.params.field_id)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.listOfferedFields,
    handler: async (request) => {
      const { subject = 'case' } = request.query
      const data = await listOfferedFields(db, requireProject(request).id, subject)
      return { data, meta: { total: data.length } }
    },
  })

  app.route({
    ...contract.setInstanceField,
    handler: async (request) => {
      const { field_id: id } = request.params
      return { data: await setInstanceField(db, getActor(request), requireProject(request).id, id, request.body) }
    },
  })
}
