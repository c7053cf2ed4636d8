import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * `oidc` holds the state of a single sign-on that is in progress, and `identity` the secret of one that waits for a password.
 * `sign-in` holds the secret of a sign-in that waits for the second factor. `browser` marks a browser in which users have
 * signed in.
 */
export type CookieName = 'session' | 'sign-in' | 'oidc' | 'identity' | 'browser'

/** Reads and writes cookies. There is no hook, so that only routes that need a cookie parse them. */
export interface Cookies {
  read(request: Pick<FastifyRequest, 'headers'>, name: CookieName): string | null
  set(reply: Pick<FastifyReply, 'header'>, name: CookieName, value: string, maxAgeSeconds: number): void
  clear(reply: Pick<FastifyReply, 'header'>, name: CookieName): void
}

/**
 * Creates cookies that scripts cannot read and that requests of other sites do not include, except when a user follows a
 * link. With HTTPS they are `Secure`, and the prefix `__Host-` prevents other hosts of the domain from setting them.
 */
export function createCookies({ publicUrl }: { publicUrl: string | null }): Cookies {
  const secure = publicUrl?.startsWith('https:') ?? false
  const getCookieName = (name: CookieName) => `${secure ? '__Host-' : ''}caseward-${name}`
  const set: Cookies['set'] = (reply, name, value, maxAge) => {
    const flags = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge } as const
    void reply.header('set-cookie', fastifyCookie.serialize(getCookieName(name), value, flags))
  }
  return {
    read({ headers }, name) {
      if (headers.cookie === undefined) return null
      return fastifyCookie.parse(headers.cookie)[getCookieName(name)] || null
    },
    set,
    clear: (reply, name) => set(reply, name, '', 0),
  }
}
