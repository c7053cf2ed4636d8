import type { FieldError } from '@caseward/contract/problem'
import type { FastifyRequest } from 'fastify'

import { invalidProblem, Problem } from './problems.ts'

/** What is at hand of a request whose body is of the wrong form. */
type Refused = Pick<FastifyRequest, 'body' | 'project'>

/**
 * Options of a route whose body names other things: where the body's form is wrong, they are looked up all the same, so
 * that one answer tells every bad field. The handler still gets valid bodies alone.
 * @param complete adds to the bad fields those that only the database shows; of the body nothing is certain
 */
export const withLookupErrors = (complete: (request: Refused, fields: FieldError[]) => Promise<FieldError[]>) => ({
  attachValidation: true,
  preHandler: async (request: Refused & Pick<FastifyRequest, 'validationError'>): Promise<void> => {
    const { validationError: refusal } = request
    if (refusal === undefined) return
    throw refusal instanceof Problem ? invalidProblem(await complete(request, refusal.fields)) : refusal
  },
})
