import type { FieldError } from '@caseward/contract/problem'
import type { FastifyRequest } from 'fastify'

import { invalidProblem, Problem } from './problems.ts'

/**
 * Options of a route whose body refers to other objects: when the body is invalid, they are looked up as well, so that
 * one response lists every invalid field. The handler gets only valid bodies.
 * @param addLookupErrors adds the field errors that only the database shows; the body may have any form
 */
export const withLookupErrors = (
  addLookupErrors: (request: FastifyRequest, fields: FieldError[]) => Promise<FieldError[]>,
) => ({
  attachValidation: true,
  preHandler: async (request: FastifyRequest): Promise<void> => {
    const { validationError } = request
    if (validationError === undefined) return
    throw validationError instanceof Problem
      ? invalidProblem(await addLookupErrors(request, validationError.fields))
      : validationError
  },
})
