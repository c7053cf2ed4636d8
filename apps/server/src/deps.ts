import type { Database } from './database/connect.ts'
import type { Cookies } from './http/cookies.ts'
import type { Places } from './http/places.ts'
import type { Principals } from './http/principals.ts'
import type { RateLimits } from './http/rate-limit.ts'
import type { CheckOrigin } from './http/same-origin.ts'

/** What every feature is given. */
export interface Deps {
  db: Database
  principals: Principals
  places: Places
  rateLimits: RateLimits
  cookies: Cookies
  checkOrigin: CheckOrigin
  /** Where people reach the service. Known once it listens. */
  publicUrl(): string
  /** Whether mails go out through `SMTP_URL`; else admins hand on the links themselves. */
  hasMailServer: boolean
}
