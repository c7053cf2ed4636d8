import { sendHttp } from './send-http.ts'
import type { TestServer } from './test-server.ts'

/** A response to a browser; redirects are not followed. */
export interface Page {
  status: number
  headers: Headers
  location: string | null
  text: string
}

/** An HTTP client that behaves like a browser: it keeps cookies and sends `Origin`. It does not run scripts. */
export interface Browser {
  cookies: Map<string, string>
  /** All `Set-Cookie` headers so far. */
  setCookies: string[]
  send(method: string, path: string, init?: { headers?: Record<string, string>; body?: string }): Promise<Page>
  get(path: string): Promise<Page>
  /** Submits a form of one of the server's own pages. */
  post(path: string, fields?: Record<string, string>): Promise<Page>
  /** Calls the API, as a script of one of the server's own pages does. */
  api(method: string, path: string, body?: unknown): Promise<Page>
}

/** Opens a browser without cookies. `defaultHeaders` are sent with every request. */
export function openBrowser({ url }: Pick<TestServer, 'url'>, defaultHeaders: Record<string, string> = {}): Browser {
  const cookies = new Map<string, string>()
  const setCookies: string[] = []
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  const send: Browser['send'] = async (method, path, { headers = {}, body } = {}) => {
    const response = await sendHttp(new URL(path, url), method, {
      headers: {
        'user-agent': 'Test browser',
        ...(cookies.size > 0 ? { cookie: cookieHeader() } : {}),
        ...defaultHeaders,
        ...headers,
      },
      body,
    })
    for (const line of response.headers.getSetCookie()) {
      setCookies.push(line)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get('location'),
      text: response.text,
    }
  }

  const origin = defaultHeaders['origin'] ?? url
  return {
    cookies,
    setCookies,
    send,
    get: (path) => send('GET', path),
    post: (path, fields = {}) =>
      send('POST', path, {
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      }),
    api: (method, path, body) =>
      send(method, path, {
        headers: { origin, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}
