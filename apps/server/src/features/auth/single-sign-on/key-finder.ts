import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'

import { isProtectedUrl } from '../../../platform/http/is-protected-url.ts'

/** Requests that need something of the provider do not ask it more often than this after a failure. */
const FAILURE_PAUSE_MS = 10_000

export interface KeyFinder {
  /** Finds the public key for the signature of a token. The keys are kept, and fetched again at most every 30 seconds. */
  findKey: JWTVerifyGetKey
  /** Does something that asks the provider, but not within seconds after it has failed. */
  limit<T>(ask: () => Promise<T>): Promise<T>
}

/**
 * Creates a cache of the provider's keys. Tokens of strangers ask for keys, too: they must not make this server send a request
 * to the provider for each one.
 * @param getKeysUrl returns where the provider publishes its keys; undefined when it does not
 */
export function createKeyFinder(getKeysUrl: () => Promise<string | undefined>): KeyFinder {
  let failedAt = Number.NEGATIVE_INFINITY
  let keySet: Promise<JWTVerifyGetKey> | null = null

  async function limit<T>(ask: () => Promise<T>): Promise<T> {
    if (performance.now() - failedAt < FAILURE_PAUSE_MS) throw new Error('The provider has just failed')
    try {
      return await ask()
    } catch (error) {
      failedAt = performance.now()
      throw error
    }
  }

  async function createKeySet(): Promise<JWTVerifyGetKey> {
    const url = await getKeysUrl()
    if (url === undefined) throw new Error('The provider publishes no keys')
    if (!isProtectedUrl(url)) throw new Error('The provider publishes its keys without HTTPS')
    return createRemoteJWKSet(new URL(url), { [customFetch]: (input, options) => limit(() => fetch(input, options)) })
  }

  return {
    limit,
    async findKey(header, token) {
      keySet ??= createKeySet().catch((error: unknown) => {
        keySet = null
        throw error
      })
      return await (
        await keySet
      )(header, token)
    },
  }
}
