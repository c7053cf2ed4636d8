import { mergeFieldOptions } from '@caseward/contract/field-merges'
import * as contract from '@caseward/contract/fields'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { getActor } from '../audit/record-audit.ts'
import { getCaseAuthor } from '../case-versions/case-author.ts'
import { createField, deleteField, restoreField, retireField, updateField } from './change-fields.ts'
import { presentField, selectFields } from './fields.queries.ts'
import { mergeOptions } from './merge-options.ts'

export function fieldsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listFields,
    handler: async (request) => {
      const { retired = 'any', subject = 'case' } = request.query
      const fields = await selectFields(db, requireProject(request).id, subject)
      const data = fields
        .filter(({ retired_at: at }) => retired === 'any' || (at !== null) === (retired === 'true'))
        .map(presentField)
      return { data, meta: { total: data.length } }
    },
  })

  app.route({
    ...contract.createField,
    handler: async (request, reply) => {
      const field = await createField(db, getActor(request), requireProject(request).id, request.body)
      return reply.code(201).send({ data: field })
    },
  })

  app.route({
    ...contract.updateField,
    handler: async (request) => {
      const { field_id: id } = request.params
      return { data: await updateField(db, getActor(request), requireProject(request).id, id, request.body) }
    },
  })

  app.route({
    ...mergeFieldOptions,
    handler: async (request) => {
      const by = { author: getCaseAuthor(request, 'bulk'), actor: getActor(request) }
      const { field_id: id } = request.params
      return { data: await mergeOptions(db, requireProject(request), by, id, request.body) }
    },
  })

  app.route({
    ...contract.retireField,
    handler: async (request) => ({
      data: await retireField(db, getActor(request), requireProject(request).id, request.params.field_id),
    }),
  })

  app.route({
    ...contract.restoreField,
    handler: async (request) => ({
      data: await restoreField(db, getActor(request), requireProject(request).id, request.params.field_id),
    }),
  })

  app.route({
    ...contract.deleteField,
    handler: async (request, reply) => {
      await deleteField(db, getActor(request), requireProject(request).id, request.params.field_id)
      return reply.code(204).send(null)
    },
  })
}
