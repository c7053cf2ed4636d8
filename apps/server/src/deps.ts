import type { Database } from './platform/database/connect.ts'
import type { Cookies } from './access/cookies.ts'
import type { ProjectCache } from './access/project-cache.ts'
import type { PrincipalCache } from './access/principal-cache.ts'
import type { RateLimits } from './access/rate-limits.ts'
import type { CheckOrigin } from './access/same-origin.ts'
import type { ChangeAnnouncer } from './features/events/change-announcer.ts'
import type { ShareViews } from './features/shares/share-views.ts'
import type { Background } from './platform/background.ts'
import type { ExcelFiles } from './features/exports/write-excel.ts'
import type { ContentAddresses } from './features/files/content-addresses.ts'
import type { FileBodies } from './features/files/file-bodies.ts'
import type { OwnFileStore } from './platform/files/open-file-store.ts'
import type { SecretBox } from './platform/secret-box.ts'
import type { RequestBodies } from './platform/http/request-bodies.ts'

/** What users and rules need to know about the sign-in provider. */
export interface SingleSignOn {
  /** The name of the provider for users. */
  name: string
  /** Whether the server accepts no passwords. */
  isRequired: boolean
  /** When a session that began there ends at the latest. */
  sessionHours: number
  /** The claim from which groups are read; null when none are. */
  groupsClaim: string | null
  /** The group whose users are instance administrators. */
  adminGroup: string | null
}

/** The dependencies of every feature. */
export interface Deps {
  db: Database
  principalCache: PrincipalCache
  projectCache: ProjectCache
  rateLimits: RateLimits
  requestBodies: RequestBodies
  /** Where the contents of files are. */
  fileStore: OwnFileStore
  /** Makes addresses of contents on the host of `FILES_ORIGIN`; null without one. */
  contentAddresses: ContentAddresses | null
  /** Whether contents in a bucket are loaded from there. */
  redirectsToS3: boolean
  /** Other origins from which browsers load contents, as sources of a Content-Security-Policy. */
  contentSources: readonly string[]
  /** Limits the files that are received at the same time. */
  fileBodies: FileBodies
  /** Writes Excel files. */
  excelFiles: ExcelFiles
  /** Size limit of a file. */
  fileLimitBytes: number
  /** Days that files of completed runs are kept at most; null for as long as the run. */
  runFileRetentionDays: number | null
  /** Tells the event streams of all servers which results were written. */
  announcer: ChangeAnnouncer
  cookies: Cookies
  background: Background
  /** Encrypts what must be read again, such as the secrets of authenticator apps. */
  secretBox: SecretBox
  checkOrigin: CheckOrigin
  /** Returns the public address of the service, which is known once it listens. */
  getPublicUrl(): string
  /** The sign-in provider; null when there is none. */
  singleSignOn: SingleSignOn | null
  /** Other servers whose images the web app may show, as sources of a Content-Security-Policy. */
  imageSources: readonly string[]
  /** Whether reports may be shared, and shared ones opened. */
  allowsShares: boolean
  /** Counts how often shared reports are opened. */
  shareViews: ShareViews
  /** Whether mails are sent through `SMTP_URL`. Otherwise responses contain the links, for admins to pass on. */
  hasMailServer: boolean
}
