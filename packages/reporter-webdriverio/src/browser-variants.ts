import type { Capabilities } from './framework-types.ts'

/**
 * Returns a variant for each browser, in the order of the capabilities, also for a single one: other jobs of the build may
 * run the same tests in other browsers. Returns none if each test uses all of them.
 */
export function getBrowserVariants(capabilities: readonly Capabilities[] | Capabilities): readonly string[] {
  if (!Array.isArray(capabilities)) return []
  const names = (capabilities as readonly Capabilities[]).map(getBrowserName)
  const isDuplicate = (name: string) => names.filter((other) => other === name).length > 1
  return names.map((name, index) => (isDuplicate(name) ? `${name} ${index + 1}` : name))
}

function getBrowserName(capabilities: Capabilities): string {
  const { alwaysMatch = capabilities } = capabilities as { alwaysMatch?: Capabilities }
  const names = ['browserName', 'appium:deviceName', 'platformName'].map((key) => alwaysMatch[key])
  const name = names.find((value) => typeof value === 'string' && value !== '')
  // Without a name, the keys are the browsers that a test uses at the same time.
  return typeof name === 'string' ? name : Object.keys(alwaysMatch).join(' and ')
}
