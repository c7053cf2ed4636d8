import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What the service keeps in a browser: the session, and for some minutes a sign-in elsewhere that is under way. */
export type CookieName = 'session' | 'oidc'

/** Reads and writes cookies. No hook: only who asks for a cookie pays for reading it. */
export interface Cookies {
  read(request: Pick<FastifyRequest, 'headers'>, name: CookieName): string | null
  set(reply: Pick<FastifyReply, 'header'>, name: CookieName, value: string, maxAgeSeconds: number): void
  clear(reply: Pick<FastifyReply, 'header'>, name: CookieName): void
}

/**
 * Cookies that no script reads and no other site's request carries along, but for following a link. With HTTPS they
 * are `Secure`, and `__Host-` keeps neighbours on the same domain from planting theirs.
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
