import { getPageOrigin } from '@caseward/test-support/passkeys'
import type { TestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'

import { openAsNewUser, type PageUser } from './open-as.ts'

/**
 * Gives the browser of a page an authenticator, which confirms everything at once. It goes away when another connection to
 * the developer tools ends, as at the end of `checkPage`.
 */
export async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Makes a user, and opens a page of the app at an address that passkeys work at, in a browser with an authenticator. */
export async function openWithAuthenticator(page: Page, server: TestServer, path: string): Promise<PageUser> {
  await addAuthenticator(page)
  return await openAsNewUser(page, { ...server, url: getPageOrigin(server) }, path)
}

/** Asks the authenticator in the page for what an endpoint wants, and sends the answer to another one. */
export async function answer(page: Page, kind: 'create' | 'get', from: string, to: string): Promise<number> {
  return await page.evaluate(
    async ([action, optionsPath, answerPath]) => {
      const post = (path: string, body?: object) =>
        fetch(path, {
          method: 'POST',
          ...(body === undefined
            ? {}
            : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        })
      const { data } = (await (await post(optionsPath)).json()) as { data: { options: never } }
      const credential =
        action === 'create'
          ? await navigator.credentials.create({
              publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(data.options),
            })
          : await navigator.credentials.get({
              publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(data.options),
            })
      const json: unknown = (credential as PublicKeyCredential).toJSON()
      return (await post(answerPath, action === 'create' ? { credential: json } : { passkey: json })).status
    },
    [kind, from, to] as const,
  )
}

/** Lets the browser answer as it does when the user closes its question. */
export const refusePasskeys = (page: Page) =>
  page.evaluate(() => {
    const refuse = () => Promise.reject(new DOMException('Canceled', 'NotAllowedError'))
    Object.assign(navigator.credentials, { create: refuse, get: refuse })
  })
