import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'

import { getLoadOwnerId } from '../../access/principal.ts'
import { requirePrincipal, requireProject } from '../../access/request.ts'
import { checkViewers } from '../../access/viewers.queries.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createListener } from '../../platform/database/listener.ts'
import { BEAT, formatEvent, formatRetry, openEventStream } from '../../platform/http/event-stream.ts'
import { Problem } from '../../platform/http/problems.ts'
import { parseTimestamp } from '../../platform/http/timestamps.ts'
import { CHANGE_CHANNEL, type ChangeNotification, parseNotification } from './change-notifications.ts'
import { createEventPublisher, toEventId } from './event-publisher.ts'
import { createQuietTime } from './quiet-time.ts'
import { createSubscribers, type Subscriber } from './subscribers.ts'
import { createStreamLimits } from './stream-limits.ts'

/** The open event streams of this server. */
export interface EventHub {
  /**
   * Answers a request with a stream of events.
   * @throws {Problem} 503 when there are too many streams
   */
  open(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Ends all streams, whose clients then connect to another server, and further ones at once. */
  endAll(): void
  /** Closes the connection to the database. */
  close(): Promise<void>
}

export interface EventHubOptions {
  db: Database
  log: FastifyBaseLogger
  /** Most streams of this server. */
  maxStreams: number
}

/** What a stream has of the limits. */
interface Place {
  release: () => void
  /** Aborted when another caller gets the place. */
  displaced: AbortSignal
}

const BEAT_MS = 25_000
const RIGHTS_CHECK_MS = 60_000
const RETRY_MS = 3000
/** When a server stops, its clients connect again at different times. */
const RETRY_SPREAD_MS = 4000

/** Connects to the database with the first stream. */
export function createEventHub({ db, log, maxStreams }: EventHubOptions): EventHub {
  const subscribers = createSubscribers()
  const quiet = createQuietTime()
  const limits = createStreamLimits(maxStreams)
  const publisher = createEventPublisher({ db, log, subscribers, sendSync })
  const listener = createListener(db, {
    channel: CHANGE_CHANNEL,
    onNotification: (payload) => {
      try {
        parseNotification(payload).forEach(handleChange)
      } catch (error) {
        // Not sent by this service; anybody with access to the database can use the channel.
        log.warn({ err: error }, 'received a notification that is not a change')
      }
    },
    onReconnect() {
      quiet.reset()
      subscribers.listAll().forEach(sendSync)
    },
    onError: ({ message }) => log.warn({ reason: message }, 'lost the database connection of event streams'),
  })
  let hasEnded = false
  let isListening = false

  /** The observation begins with the first stream. */
  async function startListener(): Promise<void> {
    await listener.start()
    if (!isListening) quiet.reset()
    isListening = true
  }

  function handleChange(change: ChangeNotification): void {
    if (change.kind === 'sync') {
      quiet.reset()
      const id = toEventId(new Date(change.at))
      for (const subscriber of subscribers.listAll()) {
        if (id < subscriber.lastEventId) subscriber.lastEventId = id
        sendSync(subscriber)
      }
      return
    }
    if (change.kind === 'access') {
      const callerIds = change.ids === null ? null : new Set(change.ids)
      checkRights(subscribers.listAll().filter(({ callerId }) => callerIds?.has(callerId) ?? true))
      return
    }
    quiet.noteChange(change.projectId)
    publisher.add(change)
    if (change.kind === 'members' || (change.kind === 'runs' && change.isDeleted)) {
      checkRights(subscribers.listInProject(change.projectId))
    }
  }

  /** Ends the streams of callers that may no longer read what they receive. */
  function checkRights(checked: readonly Subscriber[]): void {
    if (checked.length === 0) return
    checkViewers(db, checked.map(toViewer)).then(
      ({ permitted }) => checked.forEach(({ stream }, index) => permitted.has(index) || stream.end()),
      // The next check is due within a minute. Nothing is sent while the database is unavailable.
      (error: unknown) => log.warn({ err: error }, 'could not check the rights of event streams'),
    )
  }

  /** Tells a client that changes since its last event may be missing. */
  function sendSync({ stream, lastEventId, project }: Subscriber): void {
    const data = { at: lastEventId, quiet_ms: quiet.getQuietMs(project.id) }
    stream.send(Buffer.from(formatEvent('sync', lastEventId, JSON.stringify(data))))
  }

  const beats = setInterval(() => subscribers.listAll().forEach(({ stream }) => stream.send(BEAT)), BEAT_MS).unref()
  const rightsChecks = setInterval(() => checkRights(subscribers.listAll()), RIGHTS_CHECK_MS).unref()

  function subscribe(request: FastifyRequest, reply: FastifyReply, now: Date, { release, displaced }: Place): void {
    const subscriber: Subscriber = {
      callerId: requirePrincipal(request).key,
      project: requireProject(request),
      runId: request.run?.id ?? null,
      lastEventId: getLastEventId(request, now),
      stream: openEventStream(request, reply, () => {
        release()
        subscribers.remove(subscriber)
      }),
    }
    subscribers.add(subscriber)
    displaced.addEventListener('abort', () => subscriber.stream.end(createFarewell()))
    subscriber.stream.send(Buffer.from(formatRetry(RETRY_MS)))
    sendSync(subscriber)
  }

  return {
    async open(request, reply) {
      if (hasEnded) return openEventStream(request, reply, () => {}).end(createFarewell())
      const principal = requirePrincipal(request)
      const displacement = new AbortController()
      const release = limits.take(getLoadOwnerId(principal), () => displacement.abort())
      if (release === null) throw tooManyStreamsProblem()
      try {
        await startListener()
        // What happened since the guard's check may not have been notified: it can be a second old.
        const viewer = {
          callerId: principal.key,
          projectId: requireProject(request).id,
          runId: request.run?.id ?? null,
        }
        const { now, permitted } = await checkViewers(db, [viewer])
        const displaced = displacement.signal
        if (hasEnded || displaced.aborted || !permitted.has(0) || reply.raw.destroyed) {
          openEventStream(request, reply, release).end(createFarewell())
        } else subscribe(request, reply, now, { release, displaced })
      } catch (error) {
        release()
        throw error
      }
    },
    endAll() {
      hasEnded = true
      for (const { stream } of subscribers.listAll()) stream.end(createFarewell())
    },
    async close() {
      clearInterval(beats)
      clearInterval(rightsChecks)
      publisher.stop()
      await listener.stop()
    },
  }
}

const createFarewell = () => Buffer.from(formatRetry(Math.round(RETRY_MS / 2 + Math.random() * RETRY_SPREAD_MS)))

const toViewer = ({ callerId, project, runId }: Subscriber) => ({ callerId, projectId: project.id, runId })

/** The id of the last event that the client has received, or of one that it would receive now. */
function getLastEventId({ headers }: FastifyRequest, now: Date): string {
  const sent = headers['last-event-id']
  const time = typeof sent === 'string' ? parseTimestamp(sent) : null
  const current = toEventId(now)
  return time === null || time.toISOString() > current ? current : time.toISOString()
}

const tooManyStreamsProblem = () =>
  new Problem(
    503,
    'too_many_event_streams',
    'Too many event streams are open on this server: yours, those of the CI tokens of this project together, or those of all users. Close some, or fetch the data from time to time.',
    { headers: { 'retry-after': '30' } },
  )
