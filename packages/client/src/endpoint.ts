/** The parameters and responses of an endpoint. */
export interface EndpointTypes {
  readonly params?: object
  readonly query?: object
  readonly body?: object | null
  /** The response body of each success status. */
  readonly success: { readonly [status: number]: unknown }
}

/** An endpoint of the API. All endpoints are exported by `@caseward/client/endpoints`. */
export interface Endpoint<T extends EndpointTypes = EndpointTypes> {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path, with `:name` for a path parameter. */
  readonly url: string
  readonly operationId: string
  /** Whether requests can have an `Idempotency-Key`, with which they can be repeated safely. */
  readonly acceptsKey?: true
  /**
   * The required fields of the response body of each success status: `name{}` for an object, `name[]` for a list of
   * objects; null for an empty body.
   */
  readonly success: { readonly [status: number]: readonly string[] | null }
  /** Does not exist at run time: it carries the types from the endpoint to the call. */
  readonly types?: T
}

/** An endpoint whose response is a stream of server-sent events: pass its URL (`Client.getUrl`) to `EventSource`. */
export interface EventStreamEndpoint<T extends { readonly params: object } = { readonly params: object }> {
  readonly method: 'GET'
  readonly url: string
  readonly operationId: string
  /** Does not exist at run time. */
  readonly streamTypes?: T
}

/** An endpoint that returns the content of a file: see `Client.download`. */
export interface FileEndpoint<
  T extends { readonly params: object; readonly query: object } = { readonly params: object; readonly query: object },
> {
  readonly method: 'GET'
  readonly url: string
  readonly operationId: string
  readonly sendsFile: true
  /** Does not exist at run time. */
  readonly fileTypes?: T
}
