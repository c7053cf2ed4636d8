import * as generated from '@caseward/client/endpoints'
import { viewParameters } from '@caseward/contract/view-parameters'
import { describe, expect, it } from 'vitest'

import { searchSchemas } from '../../search-schemas.ts'
import * as endpoints from './view-endpoints.ts'
import { formatViewQuery, parseViewQuery, pickKept } from './view-query.ts'

describe('the query of a view', () => {
  it.each(Object.entries(viewParameters))('has the parameters of the page, in their order: %s', (page, parameters) => {
    const kept = pickKept(searchSchemas[page as keyof typeof viewParameters])
    expect(Object.keys(kept)).toEqual(Object.keys(parameters))
    for (const [name, parameter] of Object.entries(parameters)) {
      const values = 'values' in parameter ? parameter.values : parameter.kind === 'flag' ? ['1'] : ['a', 'b']
      const query = new URLSearchParams(values.map((value) => [name, value]))
      // The web app knows the same values, in the same order; of one that can be set once, each alone.
      const parsed = parameter.kind === 'many-of' || parameter.kind === 'texts' ? [query] : values.map(toQuery(name))
      const expected = parsed.map((each) =>
        parameter.kind === 'one-of' && each.get(name) === parameter.fallback ? '' : each.toString(),
      )
      const formatted = parsed.map((each) => formatViewQuery(kept, parseViewQuery(kept, each.toString())))
      expect(formatted).toEqual(expected)
    }
  })

  it('is read back to the same values, without what is open', () => {
    const query = 'tag=smoke&tag=b&sort=title&desc=1'
    expect(formatViewQuery(searchSchemas.cases, parseViewQuery(searchSchemas.cases, `${query}&case=WEB-1`))).toBe(query)
    expect(parseViewQuery(searchSchemas.cases, query)).not.toHaveProperty('case')
  })
})

const toQuery = (name: string) => (value: string) => new URLSearchParams([[name, value]])

describe('the endpoints of views', () => {
  it('are those of the client', () => {
    expect(generated).toMatchObject(endpoints)
  })
})
