/** How a request through a proxy failed. */
export interface ProxyFailure {
  /** Host and port of the proxy, without user name and password. */
  readonly address: string
  /**
   * - `unreachable`: no connection to the proxy itself
   * - `rejected`: the proxy refused to connect to the server
   * - null: the proxy has connected, and the failure is behind it
   */
  readonly problem: 'unreachable' | 'rejected' | null
  /** The status of a proxy that rejected the request, such as 407 for a missing password. */
  readonly status: number | null
}

/** The error of a request through a proxy. Its cause is the error of the connection. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly proxy: ProxyFailure
  constructor(message: string, proxy: ProxyFailure, cause?: unknown) {
    super(message, { cause })
    this.proxy = proxy
  }
}
