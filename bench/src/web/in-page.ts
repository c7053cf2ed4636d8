/* Functions that run in the page. They use only what they contain, because the browser gets their source. */

declare global {
  interface Window {
    /** Resolves with the time of the frame in which a condition holds, once the frame has been painted. */
    whenPainted(isDone: () => boolean): Promise<number>
    /** What {@link watchChange} waits for. */
    change?: Promise<number>
  }
}

/** Adds the tools to every page before it loads. */
export function installTools(): void {
  window.whenPainted = (isDone) =>
    new Promise((resolve) => {
      const channel = new MessageChannel()
      channel.port1.addEventListener('message', () => resolve(performance.now()), { once: true })
      channel.port1.start()
      const check = () => {
        // A message that is sent before a frame is painted arrives after it.
        if (isDone()) channel.port2.postMessage(null)
        else requestAnimationFrame(check)
      }
      requestAnimationFrame(check)
    })
}

/** Returns the milliseconds from the start of the navigation to the frame that shows an element and no progress bar. */
export function waitUntilUsable(selector: string): Promise<number> {
  return window.whenPainted(
    () => document.querySelector(selector) !== null && document.querySelector('[role=progressbar]') === null,
  )
}

export interface Change {
  /** The event that the time starts with. */
  event: 'keydown' | 'click'
  selector: string
  /** Changed when this attribute of the element changes, or, without it, its text. */
  attribute?: string
}

/** Starts to wait for an input and the change that it makes. */
export function watchChange({ event, selector, attribute }: Change): void {
  const read = () => {
    const element = document.querySelector(selector)
    return attribute === undefined ? element?.textContent : element?.getAttribute(attribute)
  }
  const before = read()
  window.change = new Promise((resolve) => {
    const onInput = async ({ timeStamp }: Event) =>
      resolve((await window.whenPainted(() => (read() ?? before) !== before)) - timeStamp)
    window.addEventListener(event, (input) => void onInput(input), { once: true, capture: true })
  })
}

/** Returns the milliseconds from the input to the frame that showed the change. */
export const awaitChange = (): Promise<number> => window.change ?? Promise.reject(new Error('Nothing is watched'))

/** Records the duration of each frame until {@link stopFrames}. */
export function recordFrames(): void {
  const durations: number[] = []
  let last = performance.now()
  const onFrame = (now: number) => {
    durations.push(now - last)
    last = now
    if (document.body.dataset['frames'] === 'stop') document.body.dataset['frames'] = JSON.stringify(durations.slice(1))
    else requestAnimationFrame(onFrame)
  }
  document.body.dataset['frames'] = ''
  requestAnimationFrame(onFrame)
}

/** Returns the durations of the frames in milliseconds. */
export async function stopFrames(): Promise<number[]> {
  document.body.dataset['frames'] = 'stop'
  await window.whenPainted(() => document.body.dataset['frames'] !== 'stop')
  return JSON.parse(document.body.dataset['frames'] ?? '[]') as number[]
}
