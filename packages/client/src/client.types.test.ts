import { describe, expectTypeOf, it } from 'vitest'

import {
  createProject,
  getProject,
  listProjects,
  type PartialReceipt,
  revokePersonalToken,
  type UploadReceipt,
  uploadResults,
} from './endpoints.generated.ts'
import type { Client } from './client.ts'

/** Never called: the compiler checks it. */
function calls(client: Client) {
  return {
    upload: () => client.call(uploadResults, { body: { run_id: 'r', results: [] } }),
    raw: () =>
      client.call(uploadResults, {
        rawBody: { contentType: 'application/xml', body: '<testsuites/>' },
        query: { run_id: 'r', dry_run: undefined },
      }),
    list: () => client.call(listProjects),
    read: () => client.call(getProject, { params: { project_id: 'p' } }),
    create: () => client.call(createProject, { body: { name: 'Web', prefix: 'WEB', description: undefined } }),
    revoke: () => client.call(revokePersonalToken, { params: { token_id: 't' } }),
    wrong: () => [
      // @ts-expect-error the path parameter is missing
      client.call(getProject),
      // @ts-expect-error the path parameter is missing from params
      client.call(getProject, { params: {} }),
      // @ts-expect-error a list has no body
      client.call(listProjects, { body: {} }),
      // @ts-expect-error the prefix is missing
      client.call(createProject, { body: { name: 'Web' } }),
      // @ts-expect-error page is a number
      client.call(listProjects, { query: { page: 'two' } }),
      // @ts-expect-error one body, not two
      client.call(uploadResults, { body: { run_id: 'r' }, rawBody: { contentType: 'application/xml', body: '' } }),
    ],
  }
}
type Calls = ReturnType<typeof calls>
type CallReply<K extends Exclude<keyof Calls, 'wrong'>> = Awaited<ReturnType<Calls[K]>>
type Data<K extends Exclude<keyof Calls, 'wrong'>, Status extends number> = Extract<
  CallReply<K>,
  { kind: 'success'; status: Status }
>['data']

describe('types of Client.call', () => {
  it('narrow the data by the status of a success', () => {
    expectTypeOf<Data<'upload', 200>>().toEqualTypeOf<UploadReceipt>()
    expectTypeOf<Data<'upload', 207>>().toEqualTypeOf<PartialReceipt>()
    expectTypeOf<Data<'raw', 207>>().toEqualTypeOf<PartialReceipt>()
  })

  it('contain only the success statuses of the endpoint', () => {
    expectTypeOf<Extract<CallReply<'upload'>, { kind: 'success' }>['status']>().toEqualTypeOf<200 | 207>()
    expectTypeOf<Extract<CallReply<'create'>, { kind: 'success' }>['status']>().toEqualTypeOf<201>()
  })

  it('contain the response types of the contract', () => {
    expectTypeOf<Data<'list', 200>['meta']['total']>().toBeNumber()
    expectTypeOf<Data<'read', 200>['data']['description']>().toBeString()
    expectTypeOf<Data<'revoke', 204>>().toBeNull()
  })

  it('contain every kind of reply', () => {
    expectTypeOf<CallReply<'list'>['kind']>().toEqualTypeOf<'success' | 'problem' | 'unreadable' | 'unreachable'>()
  })
})
