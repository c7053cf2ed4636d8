import { type ViewPage, type ViewParameter, viewParameters } from '@caseward/contract/view-parameters'

import { invalidFieldProblem } from '../../platform/http/problems.ts'

/**
 * Returns the query of a page in one form: parameters in the order of the page, each value once, without those that the page has
 * by itself.
 * @throws {Problem} 400 for a parameter that the page does not have, or a value that it does not know
 */
export function parseViewQuery(page: ViewPage, query: string): string {
  const parameters = viewParameters[page]
  const sent = new URLSearchParams(query)
  for (const name of sent.keys()) {
    if (!Object.hasOwn(parameters, name)) {
      const known = Object.keys(parameters).join(', ')
      throw invalidFieldProblem('/query', `must not contain ${JSON.stringify(name)}; this page has ${known}`)
    }
  }
  const stored = new URLSearchParams()
  for (const [name, parameter] of Object.entries(parameters)) {
    for (const value of parseValues(name, parameter, sent.getAll(name))) stored.append(name, value)
  }
  return stored.toString()
}

function parseValues(name: string, parameter: ViewParameter, sent: readonly string[]): readonly string[] {
  const values = [...new Set(sent)].filter((value) => value !== '')
  if (parameter.kind === 'texts') return values
  if (parameter.kind === 'many-of') {
    refuseOthers(name, values, parameter.values)
    return parameter.values.filter((value) => values.includes(value))
  }
  if (values.length > 1) throw invalidFieldProblem('/query', `must contain ${JSON.stringify(name)} at most once`)
  if (parameter.kind === 'one-of') {
    refuseOthers(name, values, parameter.values)
    return values.filter((value) => value !== parameter.fallback)
  }
  if (parameter.kind === 'flag') refuseOthers(name, values, ['1'])
  return values
}

function refuseOthers(name: string, values: readonly string[], known: readonly string[]): void {
  const unknown = values.find((value) => !known.includes(value))
  if (unknown === undefined) return
  throw invalidFieldProblem('/query', `must have one of ${known.join(', ')} for ${JSON.stringify(name)}`)
}
