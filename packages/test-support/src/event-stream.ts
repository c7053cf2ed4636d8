import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'

import { onTestFinished } from 'vitest'

import { waitUntil } from './wait-until.ts'

/** A server-sent event. */
export interface ReceivedEvent<Data = Record<string, unknown>> {
  name: string
  id: string
  data: Data
}

/** A client of an event stream, as a browser's `EventSource` is, but without reconnecting. */
export interface EventStreamClient {
  status: number
  headers: IncomingMessage['headers']
  /** All events so far. */
  events: ReceivedEvent[]
  /** Everything that was received, with comments and the time after which to connect again. */
  getText(): string
  /** Waits for an event with this name, after those that were returned before. */
  next<Data = Record<string, unknown>>(name: string): Promise<ReceivedEvent<Data>>
  /** Stops and continues to read. */
  pause(): void
  resume(): void
  hasEnded(): boolean
  /** Resolves when the server has ended the stream or the connection. */
  ended: Promise<void>
  close(): void
}

export interface EventStreamOptions {
  token?: string
  headers?: Record<string, string>
  /** Receives the function that closes the stream; by default it is called when the current test ends. */
  onCleanup?: (close: () => void) => void
}

/** Connects to an event stream of the server at `url`, and waits for the response. */
export async function openEventStream(
  url: string,
  path: string,
  { token, headers = {}, onCleanup = onTestFinished }: EventStreamOptions = {},
): Promise<EventStreamClient> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const outgoing = request(url + path, { agent: false, headers: { ...authorization, ...headers } }).end()
  onCleanup(() => void outgoing.destroy())
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return readStream(outgoing, response)
}

function readStream(outgoing: ClientRequest, response: IncomingMessage): EventStreamClient {
  const events: ReceivedEvent[] = []
  let text = ''
  let unread = ''
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part
    const blocks = (unread + part).split('\n\n')
    unread = blocks.pop() ?? ''
    for (const block of blocks) if (block.startsWith('event: ')) events.push(parseEvent(block))
  })
  let isEnded = false
  const ended = new Promise<void>((resolve) => {
    const finish = () => {
      isEnded = true
      resolve()
    }
    response.on('close', finish).on('error', finish)
    outgoing.on('error', finish)
  })
  let seen = 0
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    getText: () => text,
    async next<Data>(name: string) {
      const find = () => events.findIndex((event, index) => index >= seen && event.name === name)
      await waitUntil(() => find() !== -1, `the event ${name} has arrived`)
      seen = find() + 1
      return events[seen - 1] as ReceivedEvent<Data>
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    hasEnded: () => isEnded,
    ended,
    close: () => void outgoing.destroy(),
  }
}

function parseEvent(block: string): ReceivedEvent {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const data = JSON.parse(fields.get('data') ?? '{}') as Record<string, unknown>
  return { name: fields.get('event') ?? '', id: fields.get('id') ?? '', data }
}
