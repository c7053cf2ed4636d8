import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import type { ProviderSettings } from './provider.ts'

const backToSignIn = { href: '/sign-in', label: 'Back to sign-in' }

/** The links on the error pages of single sign-on. */
export const singleSignOnErrorLinks = {
  sign_in_failed: backToSignIn,
  provider_unreachable: backToSignIn,
  email_missing: backToSignIn,
  email_not_verified: backToSignIn,
  not_invited: backToSignIn,
  other_identity: backToSignIn,
  single_sign_on_required: backToSignIn,
}

/** Registers the pages of single sign-on if a provider is configured. Only then are they loaded: the library takes memory. */
export async function registerSingleSignOn(
  pages: App,
  deps: Deps,
  settings: ProviderSettings & { oidcName: string },
): Promise<void> {
  if (settings.oidcIssuer === null) return
  const { createProvider } = await import('./provider.ts')
  const { singleSignOnPages } = await import('./single-sign-on.pages.ts')
  const { backchannelLogoutRoutes } = await import('./backchannel-logout.routes.ts')
  const { linkAccountPages } = await import('./link-account.pages.ts')
  const provider = createProvider(settings)
  if (provider === null) return
  singleSignOnPages(pages, deps, provider)
  backchannelLogoutRoutes(pages, deps, provider)
  linkAccountPages(pages, deps, settings.oidcName)
}
