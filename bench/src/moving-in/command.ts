import type pg from 'pg'

import { createCommandRunner } from '@caseward/test-support/caseward-command'
import { type FakeAnswer, json, startFakeTool } from '@caseward/test-support/fake-tools/fake-tool'

import { boundFigure, type Figure, timeFigure } from '../figures.ts'
import { type Server, TOKEN } from '../servers.ts'
import { createProject } from './requests.ts'
import { getCaseTitle } from './sources.ts'

const CASES = 10_000
const CASES_PER_SECTION = 50
const PAGE_SIZE = 250
const CREATED_ON = 1_735_689_600

/** The command against a tool that answers at once: from its start to the proof; the reference only reads the pages. */
export async function measureCommand(client: pg.Client, caseward: Server): Promise<Figure[]> {
  const tool = await startFakeTool(({ url }) => answer(url))
  const { run, remove } = await createCommandRunner()
  try {
    const projectId = await createProject(caseward, 'LIVE')
    const args = ['import', 'testrail', '--url', tool.url, '--user', 'ada@example.com', '--project', '3', '--yes']
    const env = {
      SERVICE_URL: caseward.url,
      SERVICE_TOKEN: TOKEN,
      SERVICE_PROJECT_ID: projectId,
      TESTRAIL_API_KEY: 'key',
    }
    const start = performance.now()
    const { exitCode, stderr } = await run([...args, '--attachments', 'none'], { env })
    const ms = performance.now() - start
    if (exitCode !== 0) throw new Error(`The command ended with ${exitCode}: ${stderr}`)
    const bareStart = performance.now()
    for (let offset = 0; offset < CASES; offset += PAGE_SIZE) {
      await (await fetch(`${tool.url}/index.php?/api/v2/get_cases/3&suite_id=1&limit=250&offset=${offset}`)).json()
    }
    const bareMs = performance.now() - bareStart
    await client.query('delete from projects where id = $1', [projectId])
    const what = '15. `caseward import testrail` of 10,000 test cases'
    return [
      boundFigure(what, ms / 1000, 60, 's'),
      timeFigure(`${what}; reference: reading the pages of test cases`, ms, bareMs, 60),
    ]
  } finally {
    await tool.close()
    await remove()
  }
}

function answer(url: string): FakeAnswer {
  const [, call = '', parameters = ''] = /\/api\/v2\/([^&]*)(.*)$/.exec(url) ?? []
  const [name = ''] = call.split('/')
  const offset = Number(new URLSearchParams(parameters).get('offset') ?? 0)
  switch (name) {
    case 'get_project':
      return json({ id: 3, name: 'Web shop', suite_mode: 1 })
    case 'get_suites':
      return json([{ id: 1, name: 'Master', description: null, is_master: true }])
    case 'get_case_types':
      return json([{ id: 7, name: 'Regression' }])
    case 'get_priorities':
      return json(['Low', 'Medium', 'High', 'Critical'].map((each, index) => ({ id: index + 1, name: each })))
    case 'get_sections':
      return toPage('sections', CASES / CASES_PER_SECTION, offset, toSection)
    case 'get_cases':
      return toPage('cases', CASES, offset, toCase)
    case 'get_case_fields':
    case 'get_templates':
    case 'get_statuses':
    case 'get_users':
      return json([])
    default:
      return toPage(name.replace(/^get_/, ''), 0, offset, toSection)
  }
}

function toPage(listName: string, total: number, offset: number, toItem: (number: number) => object): FakeAnswer {
  const length = Math.max(0, Math.min(PAGE_SIZE, total - offset))
  const items = Array.from({ length }, (_, index) => toItem(offset + index + 1))
  const next = `/api/v2/get_${listName}/3&suite_id=1&limit=${PAGE_SIZE}&offset=${offset + PAGE_SIZE}`
  const links = { next: offset + PAGE_SIZE < total ? next : null, prev: null }
  return json({ offset, limit: PAGE_SIZE, size: length, _links: links, [listName]: items })
}

const toSection = (id: number) => ({ id, name: `Section ${id}`, parent_id: null, suite_id: 1, display_order: id })

const toCase = (id: number) => ({
  id,
  title: getCaseTitle(id),
  section_id: Math.ceil(id / CASES_PER_SECTION),
  suite_id: 1,
  template_id: 2,
  type_id: 7,
  priority_id: 1 + (id % 4),
  refs: null,
  estimate: '2m',
  created_on: CREATED_ON,
  updated_on: CREATED_ON,
  display_order: id,
  custom_preconds: `A customer is signed in, and the basket has item ${id}.`,
  custom_steps_separated: [1, 2, 3, 4, 5, 6].map((step) => ({
    content: `Open page ${step} of ${id}, and choose **Continue**`,
    expected: `The page shows item ${id}-${step}`,
    additional_info: '',
    refs: '',
  })),
})
