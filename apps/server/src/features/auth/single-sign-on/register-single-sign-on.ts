import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import type { ProviderSettings } from './provider.ts'

/** Registers the pages of single sign-on if a provider is configured. Only then are they loaded: the library takes memory. */
export async function registerSingleSignOn(pages: App, deps: Deps, settings: ProviderSettings): Promise<void> {
  if (settings.oidcIssuer === null) return
  const { createProvider } = await import('./provider.ts')
  const { singleSignOnPages } = await import('./single-sign-on.pages.ts')
  const provider = createProvider(settings)
  if (provider !== null) singleSignOnPages(pages, deps, provider)
}
