import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { emailChangeErrorLinks, confirmEmailPages } from './features/auth/email-change/confirm-email.pages.ts'
import { resetErrorLinks, resetPages } from './features/auth/password-reset/password-reset.pages.ts'
import { passkeyScript } from './features/auth/second-factors/passkey-script.ts'
import { removeFactorErrorLinks, removeFactorPages } from './features/auth/second-factors/remove-factor.pages.ts'
import { secondFactorErrorLinks, secondFactorPages } from './features/auth/second-factors/second-factor.pages.ts'
import { setUpErrorLinks, setUpPages } from './features/auth/second-factors/set-up.pages.ts'
import { signInLinkErrorLinks, signInLinkPages } from './features/auth/session/sign-in-link.pages.ts'
import { signInErrorLinks, signInPages } from './features/auth/session/sign-in.pages.ts'
import { signOutPages, signOutScript } from './features/auth/session/sign-out.pages.ts'
import { setupErrorLinks, setupPages } from './features/auth/setup/setup.pages.ts'
import { registerSingleSignOn, singleSignOnErrorLinks } from './features/auth/single-sign-on/register-single-sign-on.ts'
import { joinPages } from './features/invitations/join.pages.ts'
import { sharedReportPages } from './features/shares/shared-reports.pages.ts'
import { webAppPages } from './features/web-app/web-app.pages.ts'
import type { App } from './platform/http/app.ts'
import { servePageAsset } from './platform/pages/page-asset.ts'

/** Where the page of an error leads, by the address that failed. */
export const errorLinks = {
  ...resetErrorLinks,
  ...emailChangeErrorLinks,
  ...setupErrorLinks,
  ...singleSignOnErrorLinks,
  ...signInErrorLinks,
  ...signInLinkErrorLinks,
  ...secondFactorErrorLinks,
  ...removeFactorErrorLinks,
  ...setUpErrorLinks,
}

/** Registers the pages that are not part of the web app, and the web app itself. */
export async function registerPages(pages: App, deps: Deps, config: Config): Promise<void> {
  signInPages(pages, deps)
  signOutPages(pages, deps)
  signInLinkPages(pages, deps)
  await registerSingleSignOn(pages, deps, config)
  servePageAsset(pages, passkeyScript)
  servePageAsset(pages, signOutScript)
  secondFactorPages(pages, deps)
  removeFactorPages(pages, deps)
  setUpPages(pages, deps)
  setupPages(pages, deps)
  resetPages(pages, deps)
  confirmEmailPages(pages, deps)
  joinPages(pages, deps)
  sharedReportPages(pages, deps)
  await webAppPages(pages, deps)
}
