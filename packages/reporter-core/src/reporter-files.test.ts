import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { getFilesDirectory } from './file-spool.ts'
import { replaySpool } from './replay.ts'
import { attempt, hangUp, json, problem, receipt, shortTimeouts, useReporterSandbox } from './reporter.test.helper.ts'
import { getSpoolDirectory } from './spool-files.ts'
import type { Attachment } from './test-attempt.ts'

const { sandbox, startServer, report, listSpool } = useReporterSandbox()

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const failed = (...attachments: Attachment[]) => ({ ...attempt, status: 'failed', attachments })
const text = (name: string, body = name): Attachment => ({ name, body })
const listFiles = () => {
  const directory = getFilesDirectory(getSpoolDirectory(sandbox.cwd))
  return existsSync(directory) ? readdirSync(directory) : []
}

interface UploadBody {
  tests: { attempts: { attachments?: { name: string; sha256: string; byte_count: number }[] }[] }[]
}

/** Responds to an upload as a server that has none of the files. */
const missAll = (_: IncomingMessage, response: Parameters<typeof hangUp>[1], body: string) => {
  const { tests } = JSON.parse(body) as UploadBody
  const declared = tests.flatMap(({ attempts }) => attempts.flatMap(({ attachments = [] }) => attachments))
  const missing = [...new Map(declared.map((file) => [file.sha256, file])).values()]
  const attachments = { declared: declared.length, complete: 0, missing, refused: [] }
  json(200, { ...receipt, attachments })(_, response)
}

const stored = json(201, { data: {} })
const fileRoute = (body: string) => `PUT /v1/runs/run-1/files/${sha256(body)}`
const uploadRoute = 'POST /v1/results'
const missingRoute = 'GET /v1/runs/run-1/files/missing'
const listMissing = (...bodies: string[]) =>
  json(200, {
    data: bodies.map((body) => ({ sha256: sha256(body), byte_count: body.length })),
    meta: { next_after: null },
  })

const replay = (url: string) =>
  replaySpool(getSpoolDirectory(sandbox.cwd), { url, token: 'cwc_secret', target: null }, { timeouts: shortTimeouts })

describe('a reporter whose tests have left files', () => {
  it('declares them with the results, sends each content once, the smallest first, and empties the spool', async () => {
    const server = await startServer({
      [uploadRoute]: missAll,
      [fileRoute('a longer log')]: stored,
      [fileRoute('log')]: stored,
      [fileRoute('1')]: stored,
      [fileRoute('22')]: stored,
      [fileRoute('4444')]: stored,
    })
    const path = join(sandbox.cwd, 'shot.png')
    writeFileSync(path, 'log')
    const { lines } = await report({
      url: server.url,
      attempts: [
        failed(
          { name: 'shot', path },
          text('long.txt', 'a longer log'),
          ...['1', '22', '4444'].map((body) => text(body)),
        ),
        { ...failed(text('b')), testId: 'b', attachments: [text('again.txt', 'log')] },
      ],
    })
    const body = JSON.parse(server.requests.find(({ route }) => route === uploadRoute)?.body ?? '') as UploadBody
    expect(body.tests[0]?.attempts[0]?.attachments?.slice(0, 2)).toEqual([
      { name: 'shot', sha256: sha256('log'), byte_count: 3 },
      { name: 'long.txt', sha256: sha256('a longer log'), byte_count: 12 },
    ])
    const sent = server.requests.filter(({ route }) => route.startsWith('PUT'))
    expect(sent.map((request) => request.body).sort()).toEqual(['1', '22', '4444', 'a longer log', 'log'])
    // Four are sent at the same time.
    expect(sent.at(-1)?.body).toBe('a longer log')
    expect(sent.at(-1)?.headers).toMatchObject({ 'content-length': '12', authorization: 'Bearer cwc_secret' })
    expect(lines.at(-1)).toBe('Caseward: 5 files sent')
    expect([listFiles(), listSpool()]).toEqual([[], []])
  })

  it('sends a file that the framework has deleted in the meantime', async () => {
    const server = await startServer({ [uploadRoute]: missAll, [fileRoute('log')]: stored })
    const path = join(sandbox.cwd, 'shot.png')
    writeFileSync(path, 'log')
    const attachments = { get: () => [{ name: 'shot', path }] }
    await report({
      url: server.url,
      attempts: [
        { ...failed(), attachments: attachments.get() },
        // Recorded after the first attempt was.
        {
          ...attempt,
          testId: 'b',
          get status() {
            rmSync(path, { force: true })
            return 'passed'
          },
        },
      ],
    })
    expect(server.requests.filter(({ route }) => route.startsWith('PUT')).map(({ body }) => body)).toEqual(['log'])
  })

  it.each([
    ['failed', undefined, ['a']],
    ['all', 'all', ['a', 'b']],
    ['none', 'none', []],
    ['failed, after a typing error that it prints', 'al', ['a']],
  ])('declares those of the attempts that SERVICE_ATTACHMENTS names: %s', async (_what, value, names) => {
    const server = await startServer()
    const { lines } = await report({
      url: server.url,
      env: value === undefined ? {} : { SERVICE_ATTACHMENTS: value },
      attempts: [failed(text('a')), { ...attempt, attachments: [text('b')] }],
    })
    const body = JSON.parse(server.requests.find(({ route }) => route === uploadRoute)?.body ?? '') as UploadBody
    const declared = body.tests[0]?.attempts.flatMap(({ attachments = [] }) => attachments.map(({ name }) => name))
    expect(declared).toEqual(names)
    expect(lines.some((line) => line.includes('SERVICE_ATTACHMENTS is “al”'))).toBe(value === 'al')
  })

  it('refuses files outside of the working directory, also through links, and says so in one line', async () => {
    const server = await startServer()
    symlinkSync('/etc/passwd', join(sandbox.cwd, 'link.txt'))
    const paths = ['/etc/passwd', join(sandbox.cwd, 'link.txt'), join(sandbox.cwd, '../../etc/passwd')]
    const { lines } = await report({
      url: server.url,
      attempts: [
        failed(...paths.map((path) => ({ name: path, path })), { name: 'none', path: join(sandbox.cwd, 'none') }),
      ],
    })
    expect(lines.filter((line) => line.includes('outside_directory'))).toHaveLength(1)
    expect(lines.join('\n')).toContain('not sent (unreadable): ENOENT')
    expect(server.requests.find(({ route }) => route === uploadRoute)?.body).not.toContain('attachments')
    expect(listFiles()).toEqual([])
  })

  it('gives up a file that the server refuses, in one line, and sends the others', async () => {
    const server = await startServer({
      [uploadRoute]: missAll,
      [fileRoute('a')]: problem(422, 'file_quota_reached'),
      [fileRoute('bb')]: problem(507, 'file_store_full'),
      [fileRoute('ccc')]: stored,
    })
    const { lines, failsSuite } = await report({
      url: server.url,
      options: { strict: true },
      attempts: [failed(text('a'), text('bb'), text('ccc'))],
    })
    expect(lines.slice(1).sort()).toEqual([
      'Caseward: 1 file sent',
      'Caseward: “a” was not stored: No: file_quota_reached.',
      'Caseward: “bb” was not stored: No: file_store_full.',
    ])
    expect([failsSuite, listFiles(), listSpool()]).toEqual([false, [], []])
  })

  it('sends a file in parts where a proxy refuses it as a whole, and goes on where the server says', async () => {
    const body = 'x'.repeat(600_000)
    const server = await startServer({
      [uploadRoute]: missAll,
      [fileRoute(body)]: [
        (_, response) => void response.writeHead(413, { 'content-type': 'text/html' }).end('<html>'),
        json(202, { data: { received: 524_288, byte_count: 600_000 } }),
        json(409, { type: 'about:blank', title: 'No', status: 409, detail: 'No.', code: 'wrong_offset', received: 0 }),
        json(202, { data: { received: 524_288, byte_count: 600_000 } }),
        stored,
      ],
    })
    const { lines } = await report({ url: server.url, attempts: [failed(text('big', body))] })
    const ranges = server.requests
      .filter(({ route }) => route.startsWith('PUT'))
      .map((request) => request.headers['content-range'])
    expect(ranges).toEqual([
      undefined,
      'bytes 0-524287/600000',
      'bytes 524288-599999/600000',
      'bytes 0-524287/600000',
      'bytes 524288-599999/600000',
    ])
    expect(lines.at(-1)).toBe('Caseward: 1 file sent')
  })

  it('keeps files when the connection is lost, and a replay sends exactly those that are missing', async () => {
    const server = await startServer({ [uploadRoute]: missAll, [fileRoute('a')]: hangUp, [fileRoute('bb')]: hangUp })
    const { lines } = await report({ url: server.url, attempts: [failed(text('a'), text('bb'))] })
    expect(lines[1]).toMatch(/^Caseward: 2 still to send: caseward replay \(/)
    const [journal = ''] = listSpool()
    // The results are stored: only the files are named.
    expect(readFileSync(journal, 'utf8')).not.toContain('opens')
    expect(listFiles().sort()).toEqual([sha256('a'), sha256('bb')].sort())
    await server.close()

    const other = await startServer({ [missingRoute]: listMissing('bb', 'unknown'), [fileRoute('bb')]: stored })
    const moved = readFileSync(journal, 'utf8').replaceAll(server.url, other.url)
    writeFileSync(journal, moved)
    const { files, replayed } = await replay(other.url)
    expect([files.sentCount, replayed]).toEqual([1, []])
    expect(other.requests.map(({ route }) => route)).toEqual([missingRoute, fileRoute('bb')])
    expect([listFiles(), listSpool()]).toEqual([[], []])
  })

  it('sends them with the next suite when the server was unreachable', async () => {
    const url = 'http://127.0.0.1:9'
    await report({ url, attempts: [failed(text('a'))] })
    expect(listFiles()).toEqual([sha256('a')])
    const server = await startServer({
      [uploadRoute]: missAll,
      [missingRoute]: listMissing('a'),
      [fileRoute('a')]: stored,
    })
    const [journal = ''] = listSpool()
    writeFileSync(journal, readFileSync(journal, 'utf8').replaceAll(url, server.url))
    const { lines } = await report({ url: server.url })
    expect(lines.at(-1)).toBe('Caseward: of earlier suites: 1 file sent')
    expect([listFiles(), listSpool()]).toEqual([[], []])
  })

  it('says how many files a server of an earlier version does not take', async () => {
    const server = await startServer()
    const { lines } = await report({ url: server.url, attempts: [failed(text('a'))] })
    expect(lines[1]).toMatch(/^Caseward: 1 file not sent: the server does not take files yet/)
    expect([listFiles(), listSpool()]).toEqual([[], []])
  })

  it('drops the oldest files over the limit of the spool, and keeps all results', async () => {
    const body = 'x'.repeat(700_000)
    const { lines } = await report({
      url: 'http://127.0.0.1:9',
      env: { SERVICE_SPOOL_LIMIT_MB: '1' },
      attempts: [failed(text('old', `${body}1`)), { ...failed(text('new', `${body}2`)), testId: 'b' }],
    })
    expect(listFiles()).toEqual([sha256(`${body}2`)])
    expect(lines[0]).toContain('1 file (“old”) left the spool unsent')
    expect(readFileSync(listSpool()[0] ?? '', 'utf8').match(/"attempt"/g)).toHaveLength(2)
  })

  it('stores the results when the spool of files cannot be written', async () => {
    const server = await startServer()
    const spool = getSpoolDirectory(sandbox.cwd)
    mkdirSync(spool, { recursive: true })
    writeFileSync(join(spool, 'files'), '')
    const { lines } = await report({ url: server.url, attempts: [failed(text('a'), text('b'))] })
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^Caseward: 2 files \(“a”, “b”\) not sent \(disk\): /)
    expect(lines[1]).toMatch(/^Caseward: stored 1 result/)
  })
})
