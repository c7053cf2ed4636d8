import { type CaseRecord, createCase, type ImportRecord, type LinkRecord, type StepRecord } from '../../records.ts'
import { readDuration } from '../../steps/durations.ts'
import { getChild, getChildren, getText, readXml, type XmlNode } from '../../xml/read-xml.ts'
import { Folders, splitList } from '../folders.ts'
import type { ReadContext, XmlFormat } from '../format.ts'

const CONTAINERS = new Set(['suites', 'suite', 'sections', 'section', 'cases'])
const AUTOMATION_FIELDS = new Set(['automation_id', 'case_automation_id'])
const KNOWN_FIELDS = new Set([
  'preconds',
  'steps',
  'expected',
  'steps_separated',
  'mission',
  'goals',
  ...AUTOMATION_FIELDS,
])

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
    for await (const event of readXml(file, (name, parent) => CONTAINERS.has(name) && parent !== 'case')) {
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
        if (section === undefined || section.path !== null) continue
        if (event.node.name === 'name') section.name = event.node.text.trim()
        if (event.node.name === 'description') section.description = event.node.text.trim()
      }
    }
  },
}

function readCase(node: XmlNode, folder: string | null, position: number, { losses }: ReadContext): CaseRecord {
  const custom = getChild(node, 'custom')
  const getCustom = (name: string) => (custom === undefined ? '' : getText(custom, name))
  const key = getText(node, 'id')
  if (key === '') losses.add('no_key', { title: getText(node, 'title') })
  const steps = getChildren(getChild(custom, 'steps_separated'), 'step').map(readStep)
  const separated = steps.some(({ action, expected }) => action !== '' || expected !== '')
  const [action, expected] = [getCustom('steps'), getCustom('expected')]
  const template = getText(node, 'template')
  const isExploratory = /exploratory/i.test(template)
  return createCase({
    key: key === '' ? null : key,
    title: getText(node, 'title'),
    folder,
    position,
    markup: 'testrail',
    template: isExploratory ? 'exploratory' : 'steps',
    precondition: getCustom('preconds'),
    descriptions: [
      { heading: 'Mission', text: getCustom('mission') },
      { heading: 'Goals', text: getCustom('goals') },
      // A text beside separate steps is not one of them.
      ...(separated ? [{ heading: 'Steps', text: action }] : []),
    ],
    steps: separated ? steps : [],
    step_text: separated ? null : { rule: 'numbered', action, expected },
    expected_result: separated ? expected : '',
    priority: getText(node, 'priority'),
    type: getText(node, 'type'),
    estimate: readDuration(getText(node, 'estimate')),
    owner: getText(node, 'assignedto'),
    automation_keys: [...AUTOMATION_FIELDS].map(getCustom).filter((text) => text !== ''),
    fields: {
      ...(template !== '' && { Template: template }),
      ...Object.fromEntries(
        (custom?.children ?? [])
          .filter(({ name }) => !KNOWN_FIELDS.has(name))
          .map((field) => [field.name, readField(field)] as const)
          .filter(([, value]) => value !== ''),
      ),
    },
    links: toLinks(getText(node, 'references')),
  })
}

export const toLinks = (references: string): LinkRecord[] =>
  splitList(references).map((target): LinkRecord => ({ target, kind: 'requirement' }))

function readStep(node: XmlNode): StepRecord {
  const shared = getText(node, 'shared_step_id')
  return {
    action: getText(node, 'content'),
    expected: getText(node, 'expected'),
    notes: [getText(node, 'additional_info'), getText(node, 'refs', 'references')].filter((note) => note !== ''),
    ...(shared !== '' && { shared }),
  }
}

/** A text, or options with an id and a value each. */
function readField(node: XmlNode): string {
  const value = getText(node, 'value')
  if (value !== '') return value
  if (node.children.length === 0) return node.text.trim()
  return node.children
    .map((child) => getText(child, 'value') || child.text.trim())
    .filter((text) => text !== '')
    .join(', ')
}
