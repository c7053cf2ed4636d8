import type { DevToolsProtocol, Params } from './devtools-protocol.ts'

/** ARIA roles that tests look for. */
type Role = 'button' | 'link' | 'textbox'

/** A tab, used by keyboard and mouse. Elements are found by role and accessible name, as by a screen reader. */
export interface Tab {
  goto(url: string): Promise<void>
  /** Clicks a button or a link, and waits until the next page has loaded. */
  follow(role: 'button' | 'link', name: string): Promise<void>
  /** Replaces the text of a field. */
  fill(label: string, text: string): Promise<void>
  /** Types at the cursor. */
  type(text: string): Promise<void>
  press(key: 'Tab'): Promise<void>
  /** Presses Enter, and waits until the next page has loaded. */
  pressEnter(): Promise<void>
  /** Returns the visible text. */
  text(): Promise<string>
  title(): Promise<string>
  path(): Promise<string>
  /** Returns the HTTP status of the page. */
  status(): Promise<number>
  /** Returns what the page's Content-Security-Policy has blocked. */
  violations(): Promise<string[]>
  /** Evaluates JavaScript in the page. */
  evaluate<T>(expression: string): Promise<T>
  /** Sets the width of the viewport and the preferred color scheme. */
  setAppearance(width: number, colorScheme: 'light' | 'dark'): Promise<void>
  /** Returns a PNG image of the whole page. */
  screenshot(): Promise<Buffer>
  clearCookies(): Promise<void>
}

const HEIGHT = 900
const keys = { Tab: { code: 9, text: '' }, Enter: { code: 13, text: '\r' } } as const

/** Runs before the scripts of a page. */
const recordViolations = `
  globalThis.violations = []
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    violations.push(effectiveDirective + ' ' + blockedURI))`

/** Takes control of a tab through its session of the DevTools protocol. */
export async function openTab(protocol: DevToolsProtocol, sessionId: string): Promise<Tab> {
  const call = <T = unknown>(method: string, params?: Params) => protocol.call<T>(method, params, sessionId)
  for (const domain of ['Page', 'DOM', 'Accessibility', 'Runtime']) await call(`${domain}.enable`)
  await call('Page.addScriptToEvaluateOnNewDocument', { source: recordViolations })

  async function evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await call<{
      result: { value: T }
      exceptionDetails?: { exception?: { description?: string } }
    }>('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? 'The expression failed')
    return result.value
  }

  async function find(role: Role, name: string): Promise<number | undefined> {
    const { result } = await call<{ result: { objectId: string } }>('Runtime.evaluate', { expression: 'document' })
    const query = { objectId: result.objectId, role, accessibleName: name }
    const { nodes } = await call<{ nodes: { backendDOMNodeId: number; ignored: boolean }[] }>(
      'Accessibility.queryAXTree',
      query,
    )
    return nodes.find(({ ignored }) => !ignored)?.backendDOMNodeId
  }

  async function click(role: Role, name: string): Promise<void> {
    const backendNodeId = await find(role, name)
    if (backendNodeId === undefined) {
      throw new Error(`There is no ${role} “${name}” on ${await evaluate<string>('document.title')}`)
    }
    await call('DOM.scrollIntoViewIfNeeded', { backendNodeId })
    const { quads } = await call<{ quads: number[][] }>('DOM.getContentQuads', { backendNodeId })
    const [left = 0, top = 0, , , right = 0, bottom = 0] = quads[0] ?? []
    const position = { x: (left + right) / 2, y: (top + bottom) / 2, button: 'left', clickCount: 1 }
    for (const type of ['mousePressed', 'mouseReleased']) await call('Input.dispatchMouseEvent', { ...position, type })
  }

  async function press(key: keyof typeof keys): Promise<void> {
    const { code, text } = keys[key]
    const event = { key, code: key, windowsVirtualKeyCode: code }
    await call('Input.dispatchKeyEvent', { ...event, type: text === '' ? 'rawKeyDown' : 'keyDown', text })
    await call('Input.dispatchKeyEvent', { ...event, type: 'keyUp' })
  }

  /** Runs an action that opens another page, and waits until that page has loaded. */
  async function withNavigation(act: () => Promise<unknown>): Promise<void> {
    await Promise.all([protocol.next('Page.loadEventFired', sessionId), act()])
  }

  return {
    goto: (url) => withNavigation(() => call('Page.navigate', { url })),
    follow: (role, name) => withNavigation(() => click(role, name)),
    async fill(label, text) {
      await click('textbox', label)
      await evaluate('document.activeElement.select()')
      await call('Input.insertText', { text })
    },
    type: async (text) => void (await call('Input.insertText', { text })),
    press,
    pressEnter: () => withNavigation(() => press('Enter')),
    text: () => evaluate('document.body.innerText'),
    title: () => evaluate('document.title'),
    path: () => evaluate('location.pathname'),
    status: () => evaluate('performance.getEntriesByType("navigation")[0].responseStatus'),
    violations: () => evaluate('violations'),
    evaluate,
    async setAppearance(width, colorScheme) {
      await call('Emulation.setDeviceMetricsOverride', { width, height: HEIGHT, deviceScaleFactor: 1, mobile: false })
      await call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: colorScheme }] })
    },
    async screenshot() {
      const { data } = await call<{ data: string }>('Page.captureScreenshot', { captureBeyondViewport: true })
      return Buffer.from(data, 'base64')
    },
    clearCookies: async () => void (await call('Network.clearBrowserCookies')),
  }
}
