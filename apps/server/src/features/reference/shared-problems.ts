import { Problem, PROBLEM_DESCRIPTIONS } from '@caseward/contract/problem'

import type { Operation } from './describe-operation.ts'

type Status = keyof typeof PROBLEM_DESCRIPTIONS
/** The schemas of the responses of an operation, by status. */
export type Responses = Readonly<Record<string, { readonly properties?: object; readonly description?: string }>>

const getName = (status: Status) => `Problem${status}`

/** What operations refer to. Written out in each of them, problems were three quarters of the document. */
export const problemComponents = {
  schemas: { Problem: toJson(Problem) },
  responses: Object.fromEntries(
    listStatuses().map((status) => [
      getName(status),
      {
        description: PROBLEM_DESCRIPTIONS[status],
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  ),
}

/** Whether a response is a problem that says no more than its status does. One with more fields is described in place. */
const isShared = (status: string, { properties, description }: Responses[string]): boolean =>
  properties === Problem.properties && description === PROBLEM_DESCRIPTIONS[Number(status) as Status]

/** Parts the responses of an operation into those that it describes itself, and the statuses of shared problems. */
export function partResponses(responses: Responses): { own: Responses; shared: string[] } {
  const shared = Object.entries(responses).flatMap(([status, response]) => (isShared(status, response) ? [status] : []))
  return { own: Object.fromEntries(Object.entries(responses).filter(([status]) => !shared.includes(status))), shared }
}

/** Adds the shared problems that an operation returns, as references. */
export function referToProblems({ responses }: Operation, statuses: Iterable<string>): void {
  for (const status of statuses) {
    responses[status] ??= { $ref: `#/components/responses/${getName(Number(status) as Status)}` }
  }
}

function listStatuses(): Status[] {
  return Object.keys(PROBLEM_DESCRIPTIONS).map((status) => Number(status) as Status)
}

/** Without the symbols of TypeBox. */
function toJson(schema: object): object {
  return JSON.parse(JSON.stringify(schema)) as object
}
