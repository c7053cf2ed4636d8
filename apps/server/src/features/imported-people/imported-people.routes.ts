import * as contract from '@caseward/contract/imported-people'

import { requirePrincipal, requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { getActor } from '../audit/record-audit.ts'
import { forgetPerson, joinPerson } from './change-imported-people.ts'
import { selectImportedPeople } from './imported-people.queries.ts'

export function importedPeopleRoutes(app: App, { db }: Pick<Deps, 'db'>): void {
  app.route({
    ...contract.listImportedPeople,
    handler: async (request) => {
      const { id } = requireProject(request)
      const principal = requirePrincipal(request)
      const hasEmails = principal.kind !== 'ci' && principal.roles.get(id) === 'admin'
      return { data: await selectImportedPeople(db, id, { hasEmails }) }
    },
  })

  app.route({
    ...contract.joinImportedPerson,
    handler: async (request) => {
      const { id } = requireProject(request)
      return { data: await joinPerson(db, getActor(request), id, request.params.person_id, request.body.user_id) }
    },
  })

  app.route({
    ...contract.forgetImportedPerson,
    handler: async (request, reply) => {
      await forgetPerson(db, getActor(request), requireProject(request).id, request.params.person_id)
      return reply.code(204).send(null)
    },
  })
}
