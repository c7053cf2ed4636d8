import type { Database } from './platform/database/connect.ts'
import type { Cookies } from './access/cookies.ts'
import type { ProjectCache } from './access/project-cache.ts'
import type { PrincipalCache } from './access/principal-cache.ts'
import type { RateLimits } from './access/rate-limits.ts'
import type { CheckOrigin } from './access/same-origin.ts'

/** What every feature is given. */
export interface Deps {
  db: Database
  principalCache: PrincipalCache
  projectCache: ProjectCache
  rateLimits: RateLimits
  cookies: Cookies
  checkOrigin: CheckOrigin
  /** Where people reach the service. Known once it listens. */
  getPublicUrl(): string
  /** Whether mails go out through `SMTP_URL`; else admins hand on the links themselves. */
  hasMailServer: boolean
}
