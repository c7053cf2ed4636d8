import type { CaseRecord, ImportRecord, StepRecord } from '../../records.ts'
import { getAllText, getChild, getChildren, getText, readXml, type XmlNode } from '../../xml/read-xml.ts'
import { Folders } from '../folders.ts'
import type { ReadContext, XmlFormat } from '../format.ts'
import { countUnread, type KnownXml } from '../unread-elements.ts'
import { toTestrailCase } from './testrail-case.ts'
import { chooseSteps } from './testrail-steps.ts'

const CONTAINERS = new Set(['suites', 'suite', 'sections', 'section', 'cases'])

const KNOWN: KnownXml = {
  suites: { are: 'suites', read: '' },
  // The only suite is the project.
  suite: { are: 'suites', read: 'name description', meaningless: 'id' },
  sections: { are: 'sections', read: '' },
  section: { are: 'sections', read: 'name description', meaningless: 'id' },
  cases: { are: 'test_cases', read: '' },
  case: { are: 'test_cases', read: '*' },
}

/** Children of a test case that have a place of their own. */
const CASE_FIELDS = new Set([
  'id',
  'title',
  'template',
  'priority',
  'type',
  'estimate',
  'assignedto',
  'references',
  'labels',
  'custom',
])
/** Children of a step that are no notes. */
const STEP_FIELDS = new Set(['index', 'content', 'expected', 'shared_step_id'])

interface OpenSection {
  name: string
  description: string
  path: readonly string[] | null
}

export const testrailXml: XmlFormat = {
  system: 'testrail',
  format: 'testrail-xml',
  matches: ({ root, inner }) => (root === 'suite' && inner.some((name) => name !== 'test-case')) || root === 'suites',
  async *read(file, context) {
    const folders = new Folders()
    const sections: OpenSection[] = []
    let hasSeveralSuites = false
    /** Makes the folder of the innermost section, once its name was read. */
    function* enter(): Generator<ImportRecord> {
      const section = sections.at(-1)
      if (section === undefined || section.path !== null) return
      section.path = [...sections.slice(0, -1).flatMap(({ path }) => path?.slice(-1) ?? []), section.name]
      const { records } = folders.add(section.path)
      for (const record of records) {
        yield section.description === '' ? record : { ...record, description: section.description }
      }
    }
    const events = readXml(file, (name, parent) => CONTAINERS.has(name) && parent !== 'case')
    for await (const event of countUnread(events, KNOWN, context.losses, (node) => getText(node, 'id'))) {
      if (event.type === 'open') {
        if (event.name === 'suites') hasSeveralSuites = true
        const isSection = event.name === 'section' || (event.name === 'suite' && hasSeveralSuites)
        if (event.name !== 'suite' || isSection) yield* enter()
        if (isSection) sections.push({ name: 'Untitled', description: '', path: null })
      } else if (event.type === 'close') {
        if (event.name !== 'section' && !(event.name === 'suite' && hasSeveralSuites)) continue
        yield* enter()
        sections.pop()
      } else if (event.node.name === 'case') {
        const { key } = folders.add(sections.at(-1)?.path ?? [])
        yield readCase(event.node, key, folders.next(key), context)
      } else {
        const section = sections.at(-1)
        const { name, text } = event.node
        if (section === undefined || section.path !== null) {
          // That of the project, or of a section that was passed on already.
          if (name === 'description' && text.trim() !== '') context.losses.add('not_imported:descriptions_of_suites')
          continue
        }
        if (name === 'name') section.name = text.trim()
        if (name === 'description') section.description = text.trim()
      }
    }
  },
}

/** Reads a test case out of its element. */
function readCase(node: XmlNode, folder: string | null, position: number, { losses }: ReadContext): CaseRecord {
  const custom = getChild(node, 'custom')?.children ?? []
  const { steps, texts } = chooseSteps(
    new Map(custom.filter(isStepField).map((field) => [field.name, getChildren(field, 'step').map(readStep)])),
  )
  const text = (name: string) => getText(node, name)
  if (text('id') === '') losses.add('no_key', { title: text('title') })
  return toTestrailCase({
    key: text('id'),
    title: text('title'),
    folder,
    position,
    template: text('template'),
    priority: text('priority'),
    type: text('type'),
    estimate: text('estimate'),
    owner: text('assignedto'),
    references: text('references'),
    steps,
    tags: (getChild(node, 'labels')?.children ?? [])
      .map((label) => getText(label, 'title', 'name') || getAllText(label))
      .filter((label) => label !== ''),
    custom: new Map([
      ...node.children.filter(({ name }) => !CASE_FIELDS.has(name)).map(readField),
      ...custom.filter((field) => !isStepField(field)).map(readField),
      ...texts,
    ]),
  })
}

const isStepField = ({ children }: XmlNode) => children.some(({ name }) => name === 'step')

function readStep(node: XmlNode): StepRecord {
  const shared = getText(node, 'shared_step_id')
  return {
    action: getText(node, 'content'),
    expected: getText(node, 'expected'),
    notes: node.children
      .filter(({ name }) => !STEP_FIELDS.has(name))
      .map(getAllText)
      .filter((note) => note !== ''),
    ...(shared !== '' && { shared }),
  }
}

/** The name of a field, and its value. */
const readField = (node: XmlNode): readonly [string, string] => [node.name, getAllText(node)]
