import type { Params, Protocol } from './chromium.ts'

/** What a thing on a page is to who cannot see it. */
type Role = 'button' | 'link' | 'textbox'

/** A tab, used by eyes, keyboard and mouse: things are found by role and name, as a screen reader tells them. */
export interface Tab {
  goto(url: string): Promise<void>
  /** Presses a button or follows a link, and waits for the page that comes. */
  follow(role: 'button' | 'link', name: string): Promise<void>
  /** Types into a field, in place of what is there. */
  fill(label: string, text: string): Promise<void>
  /** Types where the cursor is. */
  type(text: string): Promise<void>
  press(key: 'Tab'): Promise<void>
  /** Presses Enter, and waits for the page that comes. */
  pressEnter(): Promise<void>
  /** What the page shows. */
  text(): Promise<string>
  title(): Promise<string>
  path(): Promise<string>
  /** What the page was answered with. */
  status(): Promise<number>
  /** What the page tried to load or do against its Content-Security-Policy. */
  violations(): Promise<string[]>
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>
  look(width: number, colorScheme: 'light' | 'dark'): Promise<void>
  /** A picture of the whole page, PNG. */
  picture(): Promise<Buffer>
  forgetCookies(): Promise<void>
}

const HEIGHT = 900
const keys = { Tab: { code: 9, text: '' }, Enter: { code: 13, text: '\r' } } as const

/** Runs before anything of a page does. */
const noteViolations = `
  globalThis.violations = []
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    violations.push(effectiveDirective + ' ' + blockedURI))`

export async function openTab(protocol: Protocol, sessionId: string): Promise<Tab> {
  const call = <T = unknown>(method: string, params?: Params) => protocol.call<T>(method, params, sessionId)
  for (const domain of ['Page', 'DOM', 'Accessibility', 'Runtime']) await call(`${domain}.enable`)
  await call('Page.addScriptToEvaluateOnNewDocument', { source: noteViolations })

  async function evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await call<{
      result: { value: T }
      exceptionDetails?: { exception?: { description?: string } }
    }>('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? 'It failed')
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
    const at = { x: (left + right) / 2, y: (top + bottom) / 2, button: 'left', clickCount: 1 }
    for (const type of ['mousePressed', 'mouseReleased']) await call('Input.dispatchMouseEvent', { ...at, type })
  }

  async function press(key: keyof typeof keys): Promise<void> {
    const { code, text } = keys[key]
    const event = { key, code: key, windowsVirtualKeyCode: code }
    await call('Input.dispatchKeyEvent', { ...event, type: text === '' ? 'rawKeyDown' : 'keyDown', text })
    await call('Input.dispatchKeyEvent', { ...event, type: 'keyUp' })
  }

  /** Does what leads to another page, and waits until that is there. */
  async function arriving(act: () => Promise<unknown>): Promise<void> {
    await Promise.all([protocol.next('Page.loadEventFired', sessionId), act()])
  }

  return {
    goto: (url) => arriving(() => call('Page.navigate', { url })),
    follow: (role, name) => arriving(() => click(role, name)),
    async fill(label, text) {
      await click('textbox', label)
      await evaluate('document.activeElement.select()')
      await call('Input.insertText', { text })
    },
    type: async (text) => void (await call('Input.insertText', { text })),
    press,
    pressEnter: () => arriving(() => press('Enter')),
    text: () => evaluate('document.body.innerText'),
    title: () => evaluate('document.title'),
    path: () => evaluate('location.pathname'),
    status: () => evaluate('performance.getEntriesByType("navigation")[0].responseStatus'),
    violations: () => evaluate('violations'),
    evaluate,
    async look(width, colorScheme) {
      await call('Emulation.setDeviceMetricsOverride', { width, height: HEIGHT, deviceScaleFactor: 1, mobile: false })
      await call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: colorScheme }] })
    },
    async picture() {
      const { data } = await call<{ data: string }>('Page.captureScreenshot', { captureBeyondViewport: true })
      return Buffer.from(data, 'base64')
    },
    forgetCookies: async () => void (await call('Network.clearBrowserCookies')),
  }
}
