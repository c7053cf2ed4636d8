import type { Capabilities } from './webdriverio-types.ts'

/**
 * What tells the results of one browser from those of another, by the number of its capabilities. Nothing when there
 * is only one, or when each test drives all of them.
 */
export function getBrowserVariants(capabilities: readonly Capabilities[] | Capabilities): readonly string[] {
  if (!Array.isArray(capabilities) || capabilities.length < 2) return []
  const names = (capabilities as readonly Capabilities[]).map(getBrowserName)
  const isTwin = (name: string) => names.filter((other) => other === name).length > 1
  return names.map((name, index) => (isTwin(name) ? `${name} ${index + 1}` : name))
}

function getBrowserName(capabilities: Capabilities): string {
  const { alwaysMatch = capabilities } = capabilities as { alwaysMatch?: Capabilities }
  const said = ['browserName', 'appium:deviceName', 'platformName'].map((key) => alwaysMatch[key])
  const name = said.find((value) => typeof value === 'string' && value !== '')
  // Several browsers that one test drives.
  return typeof name === 'string' ? name : Object.keys(alwaysMatch).join(' and ')
}
