import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

export type Params = Record<string, unknown>

/** A connection by the Chrome DevTools Protocol: https://chromedevtools.github.io/devtools-protocol/ */
export interface DevToolsProtocol {
  /** Calls a method of the browser, or of a tab if a session is given. */
  call<T>(method: string, params?: Params, sessionId?: string): Promise<T>
  /** Resolves with the next event of this name. */
  next(event: string, sessionId: string): Promise<Params>
}

interface Message {
  id?: number
  method?: string
  params?: Params
  sessionId?: string
  result?: unknown
  error?: { message: string }
}

interface PendingCall {
  resolve(value: unknown): void
  reject(error: Error): void
}

const TIMEOUT_MS = 15_000

/** Connects through the child's pipes 3 and 4. Each message is JSON and ends with a zero byte. */
export function connectToDevTools(child: ChildProcess): DevToolsProtocol {
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable]
  const calls = new Map<number, PendingCall>()
  const listeners = new Map<string, ((params: Params) => void)[]>()
  let lastId = 0
  let unread = ''
  input.on('error', () => {})
  child.once('close', () => {
    for (const { reject } of calls.values()) reject(new Error('The browser has ended'))
  })
  output.setEncoding('utf8').on('data', (text: string) => {
    const messages = (unread + text).split('\0')
    unread = messages.pop() ?? ''
    for (const message of messages) handleMessage(JSON.parse(message) as Message)
  })

  function handleMessage({ id, method, params = {}, sessionId, result, error }: Message): void {
    if (id === undefined) {
      const key = `${sessionId} ${method}`
      const waiting = listeners.get(key) ?? []
      listeners.delete(key)
      for (const listener of waiting) listener(params)
      return
    }
    const call = calls.get(id)
    calls.delete(id)
    if (error === undefined) call?.resolve(result)
    else call?.reject(new Error(error.message))
  }

  return {
    call<T>(method: string, params: Params = {}, sessionId?: string) {
      const id = (lastId += 1)
      const response = new Promise<T>((resolve, reject) => {
        calls.set(id, { resolve: (value) => resolve(value as T), reject })
      })
      input.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`)
      return withTimeout(response, method)
    },
    next(event, sessionId) {
      const key = `${sessionId} ${event}`
      const received = new Promise<Params>((resolve) => {
        listeners.set(key, [...(listeners.get(key) ?? []), resolve])
      })
      return withTimeout(received, event)
    },
  }
}

function withTimeout<T>(promise: Promise<T>, description: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Timed out waiting for ${description}`)), TIMEOUT_MS)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}
