import type { TestServer } from './test-server.ts'

export interface Page {
  status: number
  headers: Headers
  location: string | null
  text: string
}

/** A browser as far as a server can tell: keeps cookies, and says which page a form was on. */
export interface Browser {
  cookies: Map<string, string>
  /** Every `Set-Cookie` so far, with its flags. */
  setCookies: string[]
  send(method: string, path: string, init?: { headers?: Record<string, string>; body?: string }): Promise<Page>
  get(path: string): Promise<Page>
  /** Sends a form from one of the service's own pages. */
  post(path: string, fields?: Record<string, string>): Promise<Page>
  /** Calls the API as a script on one of the service's own pages would. */
  api(method: string, path: string, body?: unknown): Promise<Page>
}

export function openBrowser({ url }: Pick<TestServer, 'url'>, fixed: Record<string, string> = {}): Browser {
  const cookies = new Map<string, string>()
  const setCookies: string[] = []
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  const send: Browser['send'] = async (method, path, { headers = {}, body } = {}) => {
    const response = await fetch(new URL(path, url), {
      method,
      redirect: 'manual',
      headers: {
        'user-agent': 'Test browser',
        ...(cookies.size > 0 ? { cookie: cookieHeader() } : {}),
        ...fixed,
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    for (const line of response.headers.getSetCookie()) {
      setCookies.push(line)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const { status, headers: answered } = response
    return { status, headers: answered, location: answered.get('location'), text: await response.text() }
  }

  const origin = fixed['origin'] ?? url
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
