import { CommandError } from '../../../command-error.ts'
import { toTerminalText } from '../../../text.ts'
import { getText, isObject, type ToolObject } from './answers.ts'
import { chooseProject } from './choose-project.ts'
import type { FetchSession } from './fetch-session.ts'
import { defineTimeZone, isSince, type Secrets, type Tool, type ToolOptions } from './tool.ts'
import { RefusedError } from './tool-http.ts'
import { formatCall, parseAnswer, type RpcValue } from './xml-rpc.ts'

const PATH = '/lib/api/xmlrpc/v1/xmlrpc.php'
/** Codes of errors: the key is wrong; a list is empty. */
const WRONG_KEY = '2000'
const EMPTY_CODES = new Set(['3041', '7008', '8000', '9000'])

/** TestLink: XML-RPC, https://github.com/TestLinkOpenSourceTRMS/testlink-code/tree/testlink_1_9/lib/api */
export const testlink: Tool = {
  system: 'testlink',
  title: 'TestLink',
  defaultUrl: null,
  urlExample: 'https://testlink.example.com',
  projectExample: 'BB',
  secrets: [{ variable: 'TESTLINK_DEV_KEY', question: 'API access key of TestLink:' }],
  rights:
    'Use the API access key (My Settings) of a user with the rights to view test cases and to execute in the project, and turn on the API: $tlCfg->api->enabled.',
  hasFiles: true,
  defineOptions(command) {
    command.option('--custom-fields <names>', 'names of custom fields to read, separated by commas: the API lists none')
    defineTimeZone(command, 'TestLink')
  },
  getBaseUrl: (url) => url.replace(/\/(?:lib\/api\/.*|index\.php)$/, ''),
  getHeaders: () => ({}),
  fetch: fetchTestlink,
}

type Call = (method: string, parameters?: Readonly<Record<string, RpcValue>>) => Promise<unknown>

/** Creates the function that calls a method. Errors are a list of a code and a message, with the status 200. */
function createCall({ http }: FetchSession, { TESTLINK_DEV_KEY: devKey = '' }: Secrets): Call {
  return async (method, parameters = {}) => {
    const body = formatCall(`tl.${method}`, { devKey, ...parameters })
    const text = await http.text({ path: PATH, method: 'POST', contentType: 'text/xml', body })
    const answer = parse(text, method)
    if ('fault' in answer) {
      throw new RefusedError([`TestLink refused ${method} (${http.redact(toTerminalText(answer.fault))}).`], 400, '')
    }
    const { value } = answer
    const [error] = Array.isArray(value) ? (value as unknown[]) : []
    const code = getText(error, 'code')
    if (code === '' || getText(error, 'message') === '') return value
    if (EMPTY_CODES.has(code)) return []
    const said = http.redact(toTerminalText(getText(error, 'message')))
    if (code === WRONG_KEY) {
      throw new CommandError([`TestLink does not accept your credentials (${code}: ${said}).`, testlink.rights], {
        code: 'tool_unauthorized',
      })
    }
    throw new RefusedError([`TestLink refused ${method} (${code}: ${said}).`, testlink.rights], 400, said)
  }
}

function parse(text: string, method: string): ReturnType<typeof parseAnswer> {
  try {
    return parseAnswer(text)
  } catch {
    const what = /^\s*<(?:!doctype|html)/i.test(text) ? 'a web page, such as one to sign in,' : 'something else'
    throw new CommandError(
      [
        `TestLink: ${method} was answered with ${what} instead of XML-RPC.`,
        'Check --url, and that the API is turned on.',
      ],
      { code: 'tool_not_xml' },
    )
  }
}

/** Lists are lists, or objects by their id, or the only object itself, or an empty text. */
function toList(answer: unknown): readonly ToolObject[] {
  if (Array.isArray(answer)) return answer.filter(isObject)
  if (!isObject(answer)) return []
  if (typeof answer['id'] === 'string') return [answer]
  return Object.values(answer).filter(isObject)
}

async function fetchTestlink(session: FetchSession, options: ToolOptions, secrets: Secrets): Promise<void> {
  const call = createCall(session, secrets)
  const read = (name: string, of: string, method: string, parameters: Readonly<Record<string, RpcValue>>) =>
    session.readList(name, of, async () => ({ items: toList(await call(method, parameters)), next: null }))
  await session.readList('project', '', async () => {
    const fields = ['prefix', 'id', 'name'] as const
    const found = chooseProject(toList(await call('getProjects')), options.project, { title: 'TestLink', fields })
    return { items: [found], next: null }
  })
  let id = ''
  for await (const project of session.all('project')) id = getText(project, 'id')
  await read('suites', '', 'getFirstLevelTestSuitesForTestProject', { testprojectid: id })
  const suites: string[] = []
  for await (const suite of session.log.items('suites', '')) suites.push(getText(suite, 'id'))
  // Suites below are known only when those above are.
  for (let level = suites; level.length > 0;) {
    await session.readEach(level, (suite) => read('suites', suite, 'getTestSuitesForTestSuite', { testsuiteid: suite }))
    const below: string[] = []
    for (const suite of level) {
      for await (const each of session.log.items('suites', suite)) below.push(getText(each, 'id'))
    }
    suites.push(...below)
    level = below
  }
  const details = { deep: false, details: 'full', getkeywords: true }
  await session.readEach(suites, (suite) =>
    read('cases', suite, 'getTestCasesForTestSuite', { testsuiteid: suite, ...details }),
  )
  const prefix = await findPrefix(session)
  await fetchCustomFields(session, call, { ...options, id, prefix })
  await fetchExecutions(session, read, call, { options, project: id })
  if (options.attachments !== 'none') await fetchFiles(session, call, prefix)
}

async function findPrefix(session: FetchSession): Promise<string> {
  let prefix = ''
  for await (const project of session.all('project')) prefix = getText(project, 'prefix')
  return prefix
}

/** The id that people know: `BB-12`. Some versions leave out the prefix. */
function getExternalId(testCase: unknown, prefix: string): string {
  const id = getText(testCase, 'external_id') || getText(testCase, 'tc_external_id')
  return id.includes('-') ? id : `${prefix}-${id}`
}

/** A call for each test case and name. */
async function fetchCustomFields(
  session: FetchSession,
  call: Call,
  { customFields = '', id, prefix }: ToolOptions & { id: string; prefix: string },
): Promise<void> {
  const names = customFields
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) return
  const cases = new Map<string, string>()
  for await (const testCase of session.all('cases')) {
    cases.set(getExternalId(testCase, prefix), getText(testCase, 'version'))
  }
  await session.readEach(cases.keys(), (key) =>
    session.readList('custom_fields', key, async () => {
      const items: ToolObject[] = []
      for (const name of names) {
        const parameters = { testcaseexternalid: key, version: Number(cases.get(key) ?? 1), testprojectid: id }
        const value = await call('getTestCaseCustomFieldDesignValue', {
          ...parameters,
          customfieldname: name,
          details: 'value',
        })
        items.push({ id: name, value: typeof value === 'string' ? value : '' })
      }
      return { items, next: null }
    }),
  )
}

type Read = (name: string, of: string, method: string, parameters: Readonly<Record<string, RpcValue>>) => Promise<void>

async function fetchExecutions(
  session: FetchSession,
  read: Read,
  call: Call,
  { options, project }: { options: ToolOptions; project: string },
): Promise<void> {
  await read('plans', '', 'getProjectTestPlans', { testprojectid: project })
  const plans: string[] = []
  for await (const plan of session.all('plans')) plans.push(getText(plan, 'id'))
  for (const plan of plans) {
    await read('builds', plan, 'getBuildsForTestPlan', { testplanid: plan })
    await read('platforms', plan, 'getTestPlanPlatforms', { testplanid: plan })
    // By the id of the test case, and below it by that of the platform.
    await session.readList('plan_cases', plan, async () => {
      const answer = await call('getTestCasesForTestPlan', { testplanid: plan, details: 'simple' })
      return { items: isObject(answer) ? Object.keys(answer).map((id) => ({ id })) : toList(answer), next: null }
    })
    const cases: string[] = []
    for await (const testCase of session.log.items('plan_cases', plan)) {
      cases.push(getText(testCase, 'id') || getText(testCase, 'tcase_id'))
    }
    await session.readEach(cases, (id) =>
      session.readList('executions', `${plan} ${id}`, async () => {
        const parameters = { testplanid: plan, testcaseid: id, options: { getBugs: 1 } }
        const executions = toList(await call('getAllExecutionsResults', parameters))
        // The id -1 stands for none.
        const items = executions.filter(
          (each) => Number(getText(each, 'id')) > 0 && isSince(getText(each, 'execution_ts'), options),
        )
        return { items, next: null }
      }),
    )
  }
}

/** The contents of files come with the list, so that they are saved at once. */
async function fetchFiles(session: FetchSession, call: Call, prefix: string): Promise<void> {
  const cases = new Map<string, string>()
  for await (const testCase of session.all('cases')) cases.set(getText(testCase, 'id'), getExternalId(testCase, prefix))
  await session.readEach(cases.keys(), async (id) => {
    await session.readOptionalList('case_files', id, async () => {
      const files = toList(await call('getTestCaseAttachments', { testcaseid: id }))
      for (const file of files) {
        const name = getText(file, 'name') || getText(file, 'title') || 'attachment'
        const place = { id: getText(file, 'id'), name, kind: 'case', key: cases.get(id) ?? '' } as const
        await session.saveFile(place, Buffer.from(getText(file, 'content'), 'base64'))
      }
      // Contents are files of their own.
      return { items: files.map((file) => ({ ...file, content: null })), next: null }
    })
  })
}
