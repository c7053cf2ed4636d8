/** What a call of an endpoint takes and answers. */
export interface EndpointTypes {
  readonly params?: object
  readonly query?: object
  readonly body?: object | null
  /** The body of each success, by status. */
  readonly success: { readonly [status: number]: unknown }
}

/** One endpoint, as far as a client needs to know it. Those that there are stand in `@caseward/client/endpoints`. */
export interface Endpoint<T extends EndpointTypes = EndpointTypes> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path, with `:name` for a path parameter. */
  readonly url: string
  readonly operationId: string
  /**
   * By status, the fields that the body of a success always has, `name{}` where it is an object and `name[]` where it is a
   * list of objects; null where there is no body.
   */
  readonly success: { readonly [status: number]: readonly string[] | null }
  /** Never there: it carries the types from the endpoint to the call. */
  readonly types?: T
}
