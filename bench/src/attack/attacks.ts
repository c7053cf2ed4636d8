import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { createCiToken } from '../uploads.ts'
import {
  countStatuses,
  openSocket,
  openStream,
  prepareCompressedRead,
  type PreparedRequest,
  prepareJsonUpload,
  prepareRequest,
  prepareXmlUpload,
  send,
  sendInParallel,
  type Statuses,
  type Target,
} from './client.ts'
import * as documents from './documents.ts'
import { createFolder } from './other-caller.ts'
import { floodSignIns } from './sign-ins.ts'

/** Returns a number of requests or milliseconds at the size of this run: less of it in the tests. */
export type Scale = (count: number) => number

/** An attack, which ends when all its requests are answered. */
export type Attack = (target: Target, scale: Scale) => Promise<Statuses>

/** Uploads of one document by 50 clients at the same time. */
const PARALLEL_UPLOADS = 50

const uploadJson =
  (createDocument: () => Buffer): Attack =>
  (target, scale) =>
    sendInParallel(target, prepareJsonUpload(target, createDocument()), scale(PARALLEL_UPLOADS))

const uploadXml =
  (createDocument: () => Buffer): Attack =>
  (target, scale) =>
    sendInParallel(target, prepareXmlUpload(target, createDocument()), scale(PARALLEL_UPLOADS))

/** The attacks by name. All but the last ones send {@link PARALLEL_UPLOADS} documents of 10 MB. */
export const attacks: Record<string, Attack> = {
  'JSON, deep lists': uploadJson(documents.deepLists),
  'JSON, deep objects': uploadJson(documents.deepObjects),
  'JSON, empty objects': uploadJson(documents.emptyObjects),
  'JSON, 499,000 empty objects and a text': uploadJson(documents.emptyObjectsAtTheLimit),
  'JSON, 490,000 objects in an unknown field and a text': uploadJson(documents.valuesInUnknownFields),
  'JSON, an object with a million keys': uploadJson(documents.wideObject),
  'JSON, 499,000 objects with different keys': uploadJson(documents.distinctKeys),
  'JSON, a long text': uploadJson(documents.longText),
  'JSON, a long text of escapes': uploadJson(documents.longEscapedText),
  'JSON, 200,000 results with unknown ids': uploadJson(documents.unknownResults),
  'JSON, 100,000 real results': uploadJson(documents.results),
  'JSON, a new run of 100,000 unknown ids': createRuns,
  'XML, nested': uploadXml(documents.nestedXml),
  'XML, nested, in JSON': uploadJson(documents.nestedXmlInJson),
  'XML, a million empty tests': uploadXml(documents.emptyTests),
  'XML, 250,000 tests': uploadXml(documents.testsAtTheLimit),
  'XML, a test with a million failures': uploadXml(documents.emptyFailures),
  'XML, 90,000 attempts of one test': uploadXml(documents.attemptsOfOneTest),
  'XML, 70 names of 140,000 characters of ids': uploadXml(documents.namesOfIds),
  'XML, 100,000 real tests': uploadXml(documents.report),
  'clients that leave after the upload': leaveEarly,
  'clients that do not read the response': doNotRead,
  '200 bodies of 10 MB that never end, and an upload': sendSlowly,
  '5,000 small requests by 500 clients': sendSmallRequests,
  '600 invalid tokens': sendInvalidTokens,
  '180 event streams of CI tokens of one project, and one of another user': takeStreams,
  '40 imports of 3,000 rows with keys, and keyed writes of another user': sendSlowKeyedRequests,
  '2,500 pages of 2,000 rows by 500 clients, compressed': readRows,
  'sign-ins by 400 clients from 100 addresses': floodSignIns,
}

async function createRuns(target: Target, scale: Scale): Promise<Statuses> {
  const path = `/v1/projects/${target.projectId}/runs`
  const request = prepareRequest('POST', path, target.token, 'application/json', documents.unknownIds())
  return await sendInParallel(target, request, scale(PARALLEL_UPLOADS))
}

async function leaveEarly(target: Target, scale: Scale): Promise<Statuses> {
  const { head, body } = prepareJsonUpload(target, documents.results())
  const leave = () =>
    new Promise<void>((resolve) => {
      const socket = openSocket(target)
      socket.once('close', () => resolve())
      socket.write(head)
      socket.write(body, () => socket.destroy())
    })
  await Promise.all(Array.from({ length: scale(PARALLEL_UPLOADS) }, leave))
  return countStatuses([])
}

const UNREAD_MS = 10_000

async function doNotRead(target: Target, scale: Scale): Promise<Statuses> {
  const { head, body } = prepareJsonUpload(target, documents.unknownResults())
  const sockets = Array.from({ length: scale(PARALLEL_UPLOADS) }, () => {
    const socket = openSocket(target).pause()
    socket.write(head)
    socket.write(body)
    return socket
  })
  await sleep(scale(UNREAD_MS))
  for (const socket of sockets) socket.destroy()
  return countStatuses([])
}

const SLOW_CONNECTIONS = 200
const SLOW_INTERVAL_MS = 250
const SLOW_ATTACK_MS = 30_000

/** Returns the statuses of the uploads that other clients send meanwhile, and repeat when the service is busy. */
async function sendSlowly(target: Target, scale: Scale): Promise<Statuses> {
  const { head, body } = prepareXmlUpload(target, documents.report())
  const drip = body.subarray(0, 100)
  const sockets = Array.from({ length: scale(SLOW_CONNECTIONS) }, () => {
    const socket = openSocket(target).resume()
    socket.write(head)
    return socket
  })
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(drip)
  }, SLOW_INTERVAL_MS)
  const statuses: string[] = []
  const other = prepareXmlUpload(target, Buffer.from(`<testsuite>${' '.repeat(100_000)}</testsuite>`))
  const end = performance.now() + scale(SLOW_ATTACK_MS)
  while (performance.now() < end) statuses.push(await send(target, other))
  clearInterval(timer)
  for (const socket of sockets) socket.destroy()
  return countStatuses(statuses)
}

const SMALL_CLIENTS = 500
const REQUESTS_PER_CLIENT = 10

async function sendSmallRequests(target: Target, scale: Scale): Promise<Statuses> {
  const body = Buffer.from(`{"results":[${'{},'.repeat(20_000)}{}]}`)
  const request = prepareRequest(
    'POST',
    `/v1/runs/${target.runId}/results/bulk`,
    target.token,
    'application/json',
    body,
  )
  return await sendRepeatedly(target, () => request, scale(SMALL_CLIENTS), REQUESTS_PER_CLIENT)
}

async function sendInvalidTokens(target: Target, scale: Scale): Promise<Statuses> {
  let count = 0
  const createRequest = () =>
    prepareRequest(
      'POST',
      '/v1/projects',
      `a-token-that-nobody-has-${(count += 1)}`,
      'application/json',
      Buffer.from('{}'),
    )
  return await sendRepeatedly(target, createRequest, scale(100), 6)
}

async function readRows(target: Target, scale: Scale): Promise<Statuses> {
  const request = prepareCompressedRead(target, `/v1/runs/${target.runId}/results?fields=row&per_page=2000`)
  return await sendRepeatedly(target, () => request, scale(SMALL_CLIENTS), 5)
}

const STREAM_TOKENS = 6
const STREAMS_PER_TOKEN = 30

/** The server allows 150 streams. Another user opens one at the end. */
async function takeStreams(target: Target): Promise<Statuses> {
  const { projectId, other, otherCost } = target
  const tokens = await Promise.all(Array.from({ length: STREAM_TOKENS }, () => createCiToken(target, target)))
  const opened = await Promise.all(
    tokens.flatMap((token) =>
      Array.from({ length: STREAMS_PER_TOKEN }, async () => await openStream(target, { token, projectId })),
    ),
  )
  const startedAt = performance.now()
  const { status, close } = await openStream(target, other)
  otherCost.slowestMs = performance.now() - startedAt
  if (status !== '200') otherCost.failures += 1
  for (const stream of [...opened, { close }]) stream.close()
  return countStatuses(opened.map((stream) => stream.status))
}

const SLOW_IMPORTS = 40
/** Fewer would not keep others waiting for long, whatever the server did. */
const MIN_SLOW_IMPORTS = 20
const WRITE_INTERVAL_MS = 100

/** Another user sends one write after the other meanwhile. */
async function sendSlowKeyedRequests(target: Target, scale: Scale): Promise<Statuses> {
  const { token, projectId, other, otherCost } = target
  const body = documents.importedRows()
  const path = `/v1/projects/${projectId}/test-cases/import`
  const sendImport = async () => {
    const type = `application/json\r\nIdempotency-Key: ${randomUUID()}`
    return await send(target, prepareRequest('POST', path, token, type, body))
  }
  const done = new AbortController()
  const imports = Promise.all(
    Array.from({ length: Math.max(MIN_SLOW_IMPORTS, scale(SLOW_IMPORTS)) }, sendImport),
  ).finally(() => done.abort())
  while (!done.signal.aborted) {
    await sleep(WRITE_INTERVAL_MS)
    await createFolder(other, otherCost)
  }
  return countStatuses(await imports)
}

/** Sends requests by several clients in parallel, each one after the other. */
async function sendRepeatedly(
  target: Target,
  createRequest: () => PreparedRequest,
  clients: number,
  requestsPerClient: number,
): Promise<Statuses> {
  const statuses: string[] = []
  const sendAll = async () => {
    for (let count = 0; count < requestsPerClient; count += 1) statuses.push(await send(target, createRequest()))
  }
  await Promise.all(Array.from({ length: clients }, sendAll))
  return countStatuses(statuses)
}
