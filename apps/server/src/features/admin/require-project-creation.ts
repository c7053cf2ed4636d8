import type { FastifyRequest } from 'fastify'

import { requirePrincipal } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import { forbiddenProblem } from '../../platform/http/problems.ts'
import { selectInstanceSettings } from './instance-settings.queries.ts'

/**
 * Hook of the route that creates projects: checks the setting `project_creation`, before the body is read. The setting is
 * read each time, so that a change takes effect on all servers at once; creating a project is rare.
 */
export const requireProjectCreation =
  ({ db }: Pick<Deps, 'db'>) =>
  async (request: FastifyRequest): Promise<void> => {
    const principal = requirePrincipal(request)
    if (principal.kind !== 'ci' && principal.isInstanceAdmin) return
    const { project_creation: allowed } = await selectInstanceSettings(db)
    if (allowed === 'everyone') return
    throw forbiddenProblem(
      'On this server, only instance administrators create projects. Ask one of them to create it and to invite you.',
      'project_creation_restricted',
    )
  }
