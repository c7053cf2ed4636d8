import { createReadStream } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { createProxyFetch } from '@caseward/client/proxy'

import { CommandError } from '../../../command-error.ts'
import type { Context } from '../../../context.ts'
import { getErrorMessage, toTerminalText } from '../../../text.ts'
import { AnswerLog } from './answer-log.ts'
import { type Failure, type FetchedFile, FetchSession, FILES } from './fetch-session.ts'
import type { Secrets, Tool, ToolOptions } from './tool.ts'
import { createToolHttp, type ToolHttp } from './tool-http.ts'
import { writeZip, type ZipEntry } from './zip-writer.ts'

export interface FetchOptions extends ToolOptions {
  readonly out?: string
  readonly fresh?: boolean
  readonly ca?: string
}

/** A list of which the tool says another length than it has answered with. */
export interface Difference {
  readonly name: string
  readonly of: string
  readonly read: number
  readonly total: number
}

/** What was read of a tool, on the disk. */
export interface Fetched {
  readonly directory: string
  readonly bundle: string
  readonly log: AnswerLog
  readonly failures: readonly Failure[]
  readonly differences: readonly Difference[]
  /** Notes that the next start with the same choices reads the tool again. */
  finish(): Promise<void>
}

/** What a directory contains the answers to. */
interface State {
  readonly request: Readonly<Record<string, unknown>>
  /** When it was begun. */
  readonly started_at: string
  readonly is_imported?: boolean
}

/**
 * Reads a project of a tool into a bundle. Goes on where an earlier command with the same choices was ended.
 * @throws {CommandError}
 */
export async function fetchTool(
  tool: Tool,
  options: FetchOptions,
  secrets: Secrets,
  context: Context,
): Promise<Fetched> {
  const { runtime, terminal } = context
  const name = `${tool.system}-${options.project}`.replaceAll(/[^\w.-]+/g, '_')
  const directory = resolve(runtime.cwd(), options.out ?? join('.caseward', 'import', name))
  const statePath = join(directory, 'state.json')
  const log = new AnswerLog(join(directory, 'answers'))
  const request = toRequest(tool, options)
  const saveState = async (state: State) => {
    await writeFile(`${statePath}.part`, `${JSON.stringify(state, null, 2)}\n`)
    await rename(`${statePath}.part`, statePath)
  }
  const http = await openTool(tool, options, secrets, context)
  const state = await readState(statePath)
  if (options.fresh === true || state?.is_imported === true) {
    await log.clear()
    await rm(join(directory, 'files'), { recursive: true, force: true })
  } else if (state !== null && JSON.stringify(state.request) !== JSON.stringify(request)) {
    throw new CommandError(
      [
        `${toTerminalText(directory)} has answers to other choices: another address, project, suite, --since or --attachments.`,
        'Use --fresh to read everything again, or another directory with --out.',
      ],
      { code: 'other_answers' },
    )
  } else if (state !== null) {
    const since = toTerminalText(state.started_at.slice(0, 16).replace('T', ' '))
    terminal.warn([
      `Going on with what was read since ${since} UTC in ${toTerminalText(directory)}; --fresh reads all again.`,
    ])
  }
  await mkdir(directory, { recursive: true })
  const isContinued = state !== null && options.fresh !== true && state.is_imported !== true
  const startedAt = isContinued ? state.started_at : new Date().toISOString()
  await saveState({ request, started_at: startedAt })
  const session = new FetchSession(http, log, {
    filesDirectory: join(directory, 'files'),
    onList: createProgress(tool, context),
  })
  try {
    await tool.fetch(session, options, secrets)
  } catch (error) {
    await log.close()
    throw error
  }
  terminal.progressBar.end()
  const bundle = join(directory, `${name}.caseward.zip`)
  const differences = await listDifferences(log)
  await writeZip(bundle, listEntries(tool, options, log, differences, directory))
  const { failures } = session
  return {
    directory,
    bundle,
    log,
    failures,
    differences,
    finish: () => saveState({ request, started_at: startedAt, is_imported: true }),
  }
}

/** The choices that the answers depend on. There is no secret among them. */
function toRequest(
  tool: Tool,
  { url, project, user, suite, since, attachments, customFields, apiUrl, timeZone }: FetchOptions,
): State['request'] {
  return {
    system: tool.system,
    url,
    project,
    user: user ?? null,
    suite: suite ?? null,
    since: since?.toISOString() ?? null,
    attachments,
    custom_fields: customFields ?? null,
    time_zone: timeZone ?? null,
    ...(apiUrl === undefined ? {} : { api_url: apiUrl }),
  }
}

async function readState(path: string): Promise<State | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return JSON.parse(text) as State
  } catch {
    throw new CommandError([`${toTerminalText(path)} is damaged. Use --fresh to read everything again.`])
  }
}

async function openTool(tool: Tool, options: FetchOptions, secrets: Secrets, context: Context): Promise<ToolHttp> {
  const { runtime, terminal, userAgent } = context
  const ca = options.ca === undefined ? undefined : [await readCertificates(options.ca, runtime.cwd())]
  const access = {
    title: tool.title,
    baseUrl: tool.getBaseUrl(options.url).replace(/\/+$/, ''),
    fetch: createProxyFetch(runtime.env, undefined, ca),
    secrets: [...Object.values(secrets), ...(tool.listHidden?.(options, secrets) ?? [])],
    rights: tool.rights,
    warn: terminal.warn,
  }
  const known = { 'user-agent': userAgent, accept: 'application/json, */*;q=0.5' }
  const anonymous = createToolHttp({ ...access, headers: () => Promise.resolve(known) })
  const login = (path: string, body: string) =>
    anonymous.json({ path, method: 'POST', body, contentType: 'application/json' })
  let headers: Promise<Readonly<Record<string, string>>> | null = null
  const getHeaders = async () => {
    const own = await tool.getHeaders(options, secrets, login)
    // What a sign-in returns is as secret as what it was given: `Bearer …`.
    access.secrets.push(...Object.values(own).map((value) => value.replace(/^(?:\S+ |\w+=)/, '')))
    return { ...known, ...own }
  }
  return createToolHttp({ ...access, headers: () => (headers ??= getHeaders()) })
}

async function readCertificates(path: string, cwd: string): Promise<string> {
  const text = await readFile(resolve(cwd, path), 'utf8').catch((error: unknown) => {
    throw new CommandError([`--ca ${toTerminalText(path)} cannot be read: ${getErrorMessage(error)}`], {
      code: 'usage',
    })
  })
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new CommandError([`--ca ${toTerminalText(path)} has no certificate in PEM.`], { code: 'usage' })
}

/** Shows on a terminal what is being read; else says once what of each kind is read. */
function createProgress({ title }: Tool, { terminal }: Context): (name: string, of: string) => void {
  const counts = new Map<string, number>()
  return (name, of) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    if (count === 1) terminal.warn([`Reading ${name.replaceAll('_', ' ')} of ${title}.`])
    const current = toTerminalText(`${name} ${of}`).trim()
    terminal.progressBar.show({ filesDone: count, files: count, bytesDone: 0, bytes: 0, current })
  }
}

async function listDifferences(log: AnswerLog): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const name of await log.listNames()) {
    for (const of of await log.listOf(name)) {
      const differs = await log.findDifference(name, of)
      if (differs !== undefined) differences.push({ name, of, ...differs })
    }
  }
  return differences
}

/** The answers in an order that depends on nothing but them, so that an equal project is an equal bundle. */
async function* listEntries(
  tool: Tool,
  { url, project, since, timeZone }: FetchOptions,
  log: AnswerLog,
  differences: readonly Difference[],
  directory: string,
): AsyncGenerator<ZipEntry> {
  const manifest = {
    format: 'caseward-answers',
    version: 1,
    system: tool.system,
    url,
    project,
    since: since?.toISOString() ?? null,
    time_zone: timeZone ?? null,
    differences,
  }
  yield { name: 'manifest.json', content: [`${JSON.stringify(manifest, null, 2)}\n`] }
  for (const name of await log.listNames()) {
    // A file that was only looked at, such as that of refusals, is no answer.
    if ((await log.listOf(name)).length > 0) yield { name: `answers/${name}.ndjson`, content: listLines(name, log) }
  }
  for (const { sha256 } of await listPictures(log)) {
    yield { name: `files/${sha256}`, content: createReadStream(join(directory, FILES, sha256)) }
  }
}

const PICTURE_NAME = /\.(?:png|jpe?g|gif|webp|bmp|svg)$/i
const MAX_PICTURE_BYTES = 10e6
const MAX_PICTURES_BYTES = 100e6

/** The pictures of test cases that the bundle contains, so that their texts can show them. */
async function listPictures(log: AnswerLog): Promise<FetchedFile[]> {
  const pictures = new Map<string, FetchedFile>()
  let bytes = 0
  for (const of of await log.listOf(FILES)) {
    for await (const item of log.items(FILES, of)) {
      const file = item as FetchedFile
      const isPicture = file.kind === 'case' && (file.is_picture === true || PICTURE_NAME.test(file.name))
      const size = file.byte_count
      if (!isPicture || pictures.has(file.sha256) || size > MAX_PICTURE_BYTES || bytes + size > MAX_PICTURES_BYTES)
        continue
      bytes += size
      pictures.set(file.sha256, file)
    }
  }
  return [...pictures.values()]
}

async function* listLines(name: string, log: AnswerLog): AsyncGenerator<string> {
  for (const of of await log.listOf(name)) {
    let isEmpty = true
    for await (const item of log.items(name, of)) {
      isEmpty = false
      // What a file is at stands in the object itself.
      yield `${JSON.stringify({ of: name === FILES ? '' : of, item })}\n`
    }
    // That there is nothing is an answer, too.
    if (isEmpty) yield `${JSON.stringify({ of })}\n`
  }
}
