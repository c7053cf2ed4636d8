import type * as events from '@caseward/contract/events'
import type * as milestones from '@caseward/contract/milestones'
import * as problem from '@caseward/contract/problem'
import type * as results from '@caseward/contract/results'
import type { Endpoint as ContractEndpoint } from '@caseward/contract/endpoint'
import { acceptsIdempotencyKey } from '@caseward/contract/idempotency'
import type { Static } from '@caseward/contract/static'
import type { TSchema } from 'typebox'
import { describe, expect, expectTypeOf, it } from 'vitest'

import type { Endpoint, EventStreamEndpoint, FileEndpoint } from './endpoint.ts'
import * as generated from './endpoints.generated.ts'
import { problemFields } from './reply.ts'
import * as contract from './whole-contract.test.helper.ts'

type Contract = typeof contract
type Generated = typeof generated

type StreamEndpoint = ContractEndpoint & { config: { isEventStream: true } }
type StreamName = { [K in keyof Contract]: Contract[K] extends StreamEndpoint ? K : never }[keyof Contract]
type ContentEndpoint = ContractEndpoint & { config: { sendsFile: true } }
type FileName = { [K in keyof Contract]: Contract[K] extends ContentEndpoint ? K : never }[keyof Contract]
type Name = Exclude<
  { [K in keyof Contract]: Contract[K] extends ContractEndpoint ? K : never }[keyof Contract],
  StreamName | FileName
>

/** The types of an endpoint according to the contract, in the layout of the generated file. */
type ExpectedTypes<E extends ContractEndpoint, S extends ContractEndpoint['schema'] = E['schema']> = Typed<{
  params: S['params']
  body: S['body']
}> & {
  [K in 'query' as S['querystring'] extends TSchema ? K : never]: AcceptSingleValues<
    S['querystring'] extends TSchema ? Static<S['querystring']> : never
  > &
    FieldFiltersOf<E>
} & {
  success: Typed<{ [K in keyof S['response'] & number as `${K}` extends `2${string}` ? K : never]: S['response'][K] }>
}
/** Filters by custom fields have the names of these. */
type FieldFiltersOf<E> = E extends { config: { hasFieldFilters: true } } ? generated.FieldFilters : unknown
/** In the client, a parameter that can be repeated takes one value or a list. */
type AcceptSingleValues<Q> = { [K in keyof Q]: Q[K] extends (infer I)[] | undefined ? I | readonly I[] : Q[K] }
type Typed<T> = { [K in keyof T as T[K] extends TSchema ? K : never]: T[K] extends TSchema ? Static<T[K]> : never }

/** Expands intersections and interfaces, so that types are compared by their fields. */
type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T

type Types = { [K in Name & keyof Generated]: Generated[K] extends Endpoint<infer T> ? Plain<T> : never }
type ContractTypes = { [K in Name]: Plain<ExpectedTypes<Contract[K]>> }

function listEndpoints<T>(exported: object, isEndpoint: (value: object) => value is T & object): [string, T][] {
  return Object.entries(exported).filter((entry): entry is [string, T & object] => {
    const value: unknown = entry[1]
    return typeof value === 'object' && value !== null && isEndpoint(value)
  })
}
const isGeneratedEndpoint = (value: object): value is Endpoint => 'operationId' in value
const isContractEndpoint = (value: object): value is ContractEndpoint => 'method' in value
const isStream = (value: ContractEndpoint) => value.config.isEventStream === true
const sendsFile = (value: ContractEndpoint) => value.config.sendsFile === true
const isGeneratedFile = (value: object): value is FileEndpoint => 'sendsFile' in value
const isGeneratedStream = (value: object): value is EventStreamEndpoint =>
  isGeneratedEndpoint(value) && !('success' in value) && !isGeneratedFile(value)

interface ObjectSchema {
  readonly type?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<
    Record<string, { readonly type?: string; readonly items?: { readonly type?: string } }>
  >
}

/** Lists the required fields of a response, marked as objects (`{}`) or lists of objects (`[]`). */
function listFields({ type, required = [], properties = {} }: ObjectSchema): string[] | null {
  if (type === 'null') return null
  return required.map((field) => {
    const part = properties[field]
    const isList = part?.type === 'array' && part.items?.type === 'object'
    return `${field}${part?.type === 'object' ? '{}' : isList ? '[]' : ''}`
  })
}

describe('endpoints.generated.ts', () => {
  it('contains every endpoint of the contract with the required fields of its responses', () => {
    const called = listEndpoints(contract, isContractEndpoint).filter(
      ([, endpoint]) => !isStream(endpoint) && !sendsFile(endpoint),
    )
    const expected = called.map(([name, { method, url, config, schema }]) => {
      const key = acceptsIdempotencyKey({ method, config }) ? { acceptsKey: true } : {}
      const successes = Object.entries(schema.response).filter(([status]) => status.startsWith('2'))
      const success = successes.map(([status, reply]) => [status, listFields(reply)])
      const descriptor = { method, url, operationId: schema.operationId, ...key }
      return [name, { ...descriptor, success: Object.fromEntries(success) as unknown }]
    })
    expect(expected.length).toBeGreaterThan(50)
    const generatedEndpoints = listEndpoints(generated, isGeneratedEndpoint).filter(
      ([, value]) => !isGeneratedStream(value) && !isGeneratedFile(value),
    )
    expect(Object.fromEntries(generatedEndpoints)).toEqual(Object.fromEntries(expected))
  })

  it('contains every event stream of the contract, with its types', () => {
    const streams = listEndpoints(contract, isContractEndpoint).filter(([, endpoint]) => isStream(endpoint))
    const expected = streams.map(([name, { method, url, schema }]) => [
      name,
      { method, url, operationId: schema.operationId },
    ])
    expect(expected).toHaveLength(2)
    expect(Object.fromEntries(listEndpoints(generated, isGeneratedStream))).toEqual(Object.fromEntries(expected))
    type Streams = {
      [K in StreamName]: (typeof generated)[K] extends EventStreamEndpoint<infer T> ? Plain<T> : never
    }
    type ContractStreams = { [K in StreamName]: { params: Static<Contract[K]['schema']['params']> } }
    expectTypeOf<Streams>().toEqualTypeOf<ContractStreams>()
    expectTypeOf<generated.ResultsEvent>().toEqualTypeOf<events.ResultsEvent>()
  })

  it('contains every endpoint that returns a file, with its types', () => {
    const called = listEndpoints(contract, isContractEndpoint).filter(([, endpoint]) => sendsFile(endpoint))
    const expected = called.map(([name, { method, url, schema }]) => [
      name,
      { method, url, operationId: schema.operationId, sendsFile: true },
    ])
    expect(expected).toHaveLength(4)
    expect(Object.fromEntries(listEndpoints(generated, isGeneratedFile))).toEqual(Object.fromEntries(expected))
    type Files = { [K in FileName]: (typeof generated)[K] extends FileEndpoint<infer T> ? Plain<T> : never }
    type ContractFiles = {
      [K in FileName]: {
        params: Static<Contract[K]['schema']['params']>
        query: Plain<Static<Contract[K]['schema']['querystring']>>
      }
    }
    expectTypeOf<Files>().toEqualTypeOf<ContractFiles>()
  })

  it('contains the types of the params, query, body and responses of every endpoint', () => {
    expectTypeOf<Types>().toEqualTypeOf<ContractTypes>()
  })

  it('contains the statuses, roles and other constants of the contract', () => {
    const getConstants = (exported: object) => Object.entries(exported).filter(([, value]) => Array.isArray(value))
    expect(Object.fromEntries(getConstants(generated))).toEqual(Object.fromEntries(getConstants(contract)))
    expectTypeOf<generated.ResultStatus>().toEqualTypeOf<results.ResultStatus>()
    expectTypeOf<generated.MilestoneStatus>().toEqualTypeOf<milestones.MilestoneStatus>()
  })

  it('contains the type and the required fields of a problem', () => {
    expectTypeOf<generated.Problem>().toEqualTypeOf<problem.Problem>()
    expect(problemFields).toEqual(problem.Problem.required)
  })
})
