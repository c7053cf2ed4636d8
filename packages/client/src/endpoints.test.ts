import * as accountReviews from '@caseward/contract/account-reviews'
import * as admin from '@caseward/contract/admin'
import * as assignments from '@caseward/contract/assignments'
import * as attachmentSchemas from '@caseward/contract/attachment-schemas'
import * as attachments from '@caseward/contract/attachments'
import * as audit from '@caseward/contract/audit'
import * as activity from '@caseward/contract/activity'
import * as commentSchemas from '@caseward/contract/comment-schemas'
import * as merges from '@caseward/contract/merges'
import * as caseAliases from '@caseward/contract/case-aliases'
import * as caseSettings from '@caseward/contract/case-settings'
import * as caseVersions from '@caseward/contract/case-versions'
import * as comments from '@caseward/contract/comments'
import * as combinations from '@caseward/contract/combinations'
import * as configurations from '@caseward/contract/configurations'
import * as confirmation from '@caseward/contract/confirmation'
import * as copies from '@caseward/contract/copies'
import * as fieldMerges from '@caseward/contract/field-merges'
import * as demo from '@caseward/contract/demo'
import * as duplicates from '@caseward/contract/duplicates'
import * as emailChanges from '@caseward/contract/email-changes'
import type { Endpoint as ContractEndpoint } from '@caseward/contract/endpoint'
import * as quarantines from '@caseward/contract/quarantines'
import * as stability from '@caseward/contract/stability'
import * as evaluation from '@caseward/contract/evaluation'
import * as evaluationFields from '@caseward/contract/evaluation-fields'
import * as failureGroups from '@caseward/contract/failure-groups'
import * as drift from '@caseward/contract/drift'
import * as health from '@caseward/contract/health'
import * as healthSchemas from '@caseward/contract/health-schemas'
import * as report from '@caseward/contract/report'
import * as speed from '@caseward/contract/speed'
import * as insightSettings from '@caseward/contract/insight-settings'
import * as verdicts from '@caseward/contract/verdicts'
import * as events from '@caseward/contract/events'
import * as fieldValues from '@caseward/contract/field-values'
import * as fields from '@caseward/contract/fields'
import * as importedPeople from '@caseward/contract/imported-people'
import * as instanceConfigurations from '@caseward/contract/instance-configurations'
import * as instanceFields from '@caseward/contract/instance-fields'
import * as fileUploads from '@caseward/contract/file-uploads'
import * as files from '@caseward/contract/files'
import * as folders from '@caseward/contract/folders'
import * as groupRoles from '@caseward/contract/group-roles'
import { acceptsIdempotencyKey } from '@caseward/contract/idempotency'
import * as importKinds from '@caseward/contract/import-kinds'
import * as importPlanSchemas from '@caseward/contract/import-plan-schemas'
import * as importSchemas from '@caseward/contract/import-schemas'
import * as importSettings from '@caseward/contract/import-settings'
import * as imports from '@caseward/contract/imports'
import * as invitations from '@caseward/contract/invitations'
import * as linkSchemas from '@caseward/contract/link-schemas'
import * as links from '@caseward/contract/links'
import * as exports from '@caseward/contract/exports'
import * as shares from '@caseward/contract/shares'
import * as viewParameters from '@caseward/contract/view-parameters'
import * as sharedStepUsage from '@caseward/contract/shared-step-usage'
import * as sharedStepUses from '@caseward/contract/shared-step-uses'
import * as sharedStepVersions from '@caseward/contract/shared-step-versions'
import * as sharedSteps from '@caseward/contract/shared-steps'
import * as steps from '@caseward/contract/steps'
import * as views from '@caseward/contract/views'
import * as storage from '@caseward/contract/storage'
import * as reruns from '@caseward/contract/reruns'
import * as runComparison from '@caseward/contract/run-comparison'
import * as members from '@caseward/contract/members'
import * as mentions from '@caseward/contract/mentions'
import * as milestoneReadiness from '@caseward/contract/milestone-readiness'
import * as milestones from '@caseward/contract/milestones'
import * as myProjects from '@caseward/contract/my-projects'
import * as overview from '@caseward/contract/overview'
import * as passkeys from '@caseward/contract/passkeys'
import * as passwordResets from '@caseward/contract/password-resets'
import * as problem from '@caseward/contract/problem'
import * as recentResults from '@caseward/contract/recent-results'
import * as testCaseRows from '@caseward/contract/test-case-rows'
import * as projects from '@caseward/contract/projects'
import * as resultChanges from '@caseward/contract/result-changes'
import * as resultRows from '@caseward/contract/result-rows'
import * as results from '@caseward/contract/results'
import * as bulkResults from '@caseward/contract/bulk-results'
import * as leftOut from '@caseward/contract/left-out'
import * as runConfigurations from '@caseward/contract/run-configurations'
import * as runSchemas from '@caseward/contract/run-schemas'
import * as runJobs from '@caseward/contract/run-jobs'
import * as runSettings from '@caseward/contract/run-settings'
import * as runTestCases from '@caseward/contract/run-test-cases'
import * as runs from '@caseward/contract/runs'
import * as search from '@caseward/contract/search'
import * as secondFactorProofs from '@caseward/contract/second-factor-proofs'
import * as secondFactors from '@caseward/contract/second-factors'
import * as session from '@caseward/contract/session'
import * as setup from '@caseward/contract/setup'
import * as shards from '@caseward/contract/shards'
import * as singleSignOn from '@caseward/contract/single-sign-on'
import * as stepResults from '@caseward/contract/step-results'
import * as tags from '@caseward/contract/tags'
import * as testCaseBatches from '@caseward/contract/test-case-batches'
import * as testCaseImports from '@caseward/contract/test-case-imports'
import * as testCaseFields from '@caseward/contract/test-case-fields'
import * as testCaseHistory from '@caseward/contract/test-case-history'
import * as testCaseSchemas from '@caseward/contract/test-case-schemas'
import * as testCases from '@caseward/contract/test-cases'
import * as runTests from '@caseward/contract/run-tests'
import * as testFields from '@caseward/contract/test-fields'
import * as tests from '@caseward/contract/tests'
import * as tokens from '@caseward/contract/tokens'
import * as uploadBody from '@caseward/contract/upload-body'
import * as uploadedTests from '@caseward/contract/uploaded-tests'
import * as declaredAttachments from '@caseward/contract/declared-attachments'
import * as uploads from '@caseward/contract/uploads'
import type { Static, TSchema } from 'typebox'
import { describe, expect, expectTypeOf, it } from 'vitest'

import type { Endpoint, EventStreamEndpoint, FileEndpoint } from './endpoint.ts'
import * as generated from './endpoints.generated.ts'
import { problemFields } from './reply.ts'

const contract = {
  ...accountReviews,
  ...admin,
  ...assignments,
  ...attachmentSchemas,
  ...attachments,
  ...activity,
  ...audit,
  ...commentSchemas,
  ...comments,
  ...confirmation,
  ...demo,
  ...duplicates,
  ...emailChanges,
  ...quarantines,
  ...stability,
  ...evaluation,
  ...evaluationFields,
  ...events,
  ...failureGroups,
  ...drift,
  ...health,
  ...healthSchemas,
  ...report,
  ...speed,
  ...insightSettings,
  ...verdicts,
  ...fileUploads,
  ...files,
  ...fieldValues,
  ...caseSettings,
  ...caseVersions,
  ...combinations,
  ...caseAliases,
  ...importedPeople,
  ...merges,
  ...configurations,
  ...runConfigurations,
  ...runSchemas,
  ...fields,
  ...instanceConfigurations,
  ...instanceFields,
  ...folders,
  ...groupRoles,
  ...importKinds,
  ...importPlanSchemas,
  ...importSchemas,
  ...importSettings,
  ...imports,
  ...invitations,
  ...linkSchemas,
  ...links,
  ...copies,
  ...fieldMerges,
  ...exports,
  ...shares,
  ...viewParameters,
  ...sharedStepUsage,
  ...sharedStepUses,
  ...sharedStepVersions,
  ...sharedSteps,
  ...steps,
  ...views,
  ...storage,
  ...reruns,
  ...runComparison,
  ...members,
  ...mentions,
  ...milestoneReadiness,
  ...milestones,
  ...myProjects,
  ...overview,
  ...passkeys,
  ...passwordResets,
  ...projects,
  ...recentResults,
  ...resultChanges,
  ...resultRows,
  ...results,
  ...bulkResults,
  ...runJobs,
  ...leftOut,
  ...runSettings,
  ...runTestCases,
  ...runs,
  ...search,
  ...secondFactorProofs,
  ...secondFactors,
  ...session,
  ...setup,
  ...shards,
  ...singleSignOn,
  ...testCaseRows,
  ...stepResults,
  ...tags,
  ...testCaseBatches,
  ...testCaseImports,
  ...testCaseFields,
  ...testCaseHistory,
  ...testCaseSchemas,
  ...testCases,
  ...runTests,
  ...testFields,
  ...tests,
  ...tokens,
  ...uploadBody,
  ...uploadedTests,
  ...declaredAttachments,
  ...uploads,
}
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
