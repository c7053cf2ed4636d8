import { setTimeout as sleep } from 'node:timers/promises'

import { EMAIL, PASSWORD } from '../servers.ts'
import { countStatuses, type PreparedRequest, send, type Statuses, type Target } from './client.ts'

const CLIENTS = 400
const ADDRESSES = 100
const ATTACK_MS = 10_000
/** How often the owner of an account signs in meanwhile. */
const INTERVAL_MS = 500

/**
 * Guesses passwords of many accounts from many addresses at the same time, which keeps processors busy. The result contains
 * how the owner of an account meanwhile signs in: in a browser in which they have signed in before, and in a new one at an
 * address of its own.
 */
export async function floodSignIns(target: Target, scale: (count: number) => number): Promise<Statuses> {
  const browser = await getBrowserCookie(target)
  const end = performance.now() + scale(ATTACK_MS)
  const statuses: string[] = []
  const guess = async (client: number) => {
    for (let attempt = 0; performance.now() < end; attempt += 1) {
      statuses.push(await send(target, prepareGuess(`user-${client}-${attempt}@example.test`, client % ADDRESSES)))
    }
  }
  const signInAgain = async (name: string, firstCookie: string) => {
    let cookie = firstCookie
    while (performance.now() < end) {
      const response = await signIn(target, cookie)
      statuses.push(`${response.status} ${name}`)
      // A sign-in brings another secret.
      if (cookie !== '') cookie = readBrowserCookie(response) ?? cookie
      await sleep(scale(INTERVAL_MS))
    }
  }
  await Promise.all([
    ...Array.from({ length: scale(CLIENTS) }, (_, client) => guess(client)),
    signInAgain('in a known browser', browser),
    signInAgain('in a new browser', ''),
  ])
  return countStatuses(statuses)
}

/** Signs in once, and returns the cookie by which the browser is known from then on. */
async function getBrowserCookie(target: Target): Promise<string> {
  const response = await signIn(target, '')
  const cookie = readBrowserCookie(response)
  if (cookie === undefined) throw new Error(`Signing in returned ${response.status} without a cookie of the browser`)
  return cookie
}

const readBrowserCookie = ({ headers }: Response): string | undefined =>
  headers
    .getSetCookie()
    .find((line) => line.startsWith('caseward-browser='))
    ?.split(';', 1)[0]

/** Signs in as browsers do. */
async function signIn({ url }: Target, cookie: string): Promise<Response> {
  const response = await fetch(`${url}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1', origin: url, cookie },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  await response.arrayBuffer()
  return response
}

function prepareGuess(email: string, address: number): PreparedRequest {
  const body = Buffer.from(JSON.stringify({ email, password: 'a wrong password' }))
  const lines = [
    'POST /v1/session HTTP/1.1',
    'Host: caseward.test',
    `X-Forwarded-For: 198.51.100.${address}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  return { head: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body }
}
