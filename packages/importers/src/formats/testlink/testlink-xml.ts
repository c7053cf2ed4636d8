import { type CaseRecord, createCase, type FolderRecord, type ImportRecord, type StepRecord } from '../../records.ts'
import { getChild, getChildren, getText, readXml, type XmlNode } from '../../xml/read-xml.ts'
import { Folders } from '../folders.ts'
import type { ReadContext, XmlFormat } from '../format.ts'
import { countUnread, type KnownXml } from '../unread-elements.ts'
import { IMPORTANCE, STATES, TYPES } from './testlink-values.ts'

const REPORT_ATTRIBUTES = new Set(['tests', 'failures', 'errors', 'time', 'timestamp', 'hostname', 'skipped'])

const RELATION = 'source destination type'

const KNOWN: KnownXml = {
  testcases: { are: 'test_cases', read: '' },
  testsuite: { are: 'suites', read: '@name details detail', meaningless: '@id node_order' },
  testcase: {
    are: 'test_cases',
    read: `@name @internalid externalid fullexternalid summary preconditions execution_type executiontype importance status version author
      estimated_exec_duration active is_open steps steps.step.actions steps.step.expectedresults expectedresults keywords.keyword.@name
      keywords.keyword.notes custom_fields.custom_field.name custom_fields.custom_field.value requirements.requirement.doc_id
      requirements.requirement.title attachments.*`,
    // How a step is executed, and which document a requirement is in.
    meaningless: `node_order steps.step.step_number steps.step.execution_type requirements.requirement.req_spec_title`,
  },
  relations: { are: 'relations', read: RELATION.replaceAll(/\w+/g, 'relation.$&') },
  relation: { are: 'relations', read: RELATION },
}

/** A report of tests has the same elements, but counts in its attributes and no elements of TestLink within. */
export const testlinkXml: XmlFormat = {
  system: 'testlink',
  format: 'testlink',
  matches: ({ root, attributes, inner }) =>
    (root === 'testsuite' &&
      !attributes.some((name) => REPORT_ATTRIBUTES.has(name)) &&
      !inner.includes('properties')) ||
    (root === 'testcases' && (inner.length === 0 || inner.includes('testcase'))),
  async *read(file, context) {
    const keys = await findUniqueKeys(file)
    const folders = new Folders()
    const path: string[] = []
    let depth = 0
    let isUnnamed = false
    // A suite says what it is about after its name.
    let opened: FolderRecord | undefined
    function* close() {
      if (opened !== undefined) yield opened
      opened = undefined
    }
    const isContainer = (name: string, parent: string) =>
      (name === 'testsuite' || name === 'testcases') && (parent === '' || parent === 'testsuite')
    const getName = ({ attributes }: XmlNode) => attributes['name'] ?? ''
    for await (const event of countUnread(readXml(file, isContainer), KNOWN, context.losses, getName)) {
      if (event.type === 'open') {
        yield* close()
        depth += 1
        if (event.name !== 'testsuite') continue
        const name = cleanName(event.attributes['name'] ?? '')
        // The outer suite without a name is the project.
        if (depth === 1 && name === '') isUnnamed = true
        else {
          path.push(name === '' ? 'Untitled' : name)
          const { records } = folders.add(path)
          yield* records.slice(0, -1)
          opened = records.at(-1)
        }
      } else if (event.type === 'close') {
        yield* close()
        depth -= 1
        if (event.name === 'testsuite' && !(depth === 0 && isUnnamed)) path.pop()
      } else if (event.node.name === 'details' || event.node.name === 'detail') {
        const description = event.node.text.trim()
        if (description === '') continue
        if (opened !== undefined) opened = { ...opened, description }
        // That of the project, or of a suite that the file has twice.
        else context.losses.add('not_imported:descriptions_of_suites', { title: path.at(-1) ?? '' })
      } else if (event.node.name === 'testcase') {
        yield* close()
        const { key: folder } = folders.add(path)
        yield readCase(event.node, folder, folders.next(folder), keys, context)
      } else if (event.node.name === 'relations') {
        for (const relation of getChildren(event.node, 'relation')) yield readRelation(relation)
      } else if (event.node.name === 'relation') yield readRelation(event.node)
    }
  },
}

const cleanName = (name: string) => name.replaceAll(/\s+/g, ' ').trim()

const readRelation = (node: XmlNode): ImportRecord => ({
  kind: 'relation',
  from: getText(node, 'source'),
  to: getText(node, 'destination'),
  relation: getText(node, 'type'),
})

/** Ids of the file that no two cases share. */
async function findUniqueKeys(file: Parameters<XmlFormat['read']>[0]): Promise<ReadonlySet<string>> {
  const counts = new Map<string, number>()
  const isContainer = (name: string) => name === 'testsuite' || name === 'testcases'
  for await (const event of readXml(file, isContainer)) {
    if (event.type !== 'node' || event.node.name !== 'testcase') continue
    for (const key of listKeys(event.node)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return new Set([...counts].filter(([, count]) => count === 1).map(([key]) => key))
}

/** By preference. */
const listKeys = (node: XmlNode): string[] =>
  [getText(node, 'fullexternalid'), getText(node, 'externalid'), prefixed(node.attributes['internalid'] ?? '')].filter(
    (key) => key !== '',
  )

/** Internal ids are numbers, too. */
const prefixed = (id: string) => (id.trim() === '' ? '' : `internal-${id.trim()}`)

function readCase(
  node: XmlNode,
  folder: string | null,
  position: number,
  keys: ReadonlySet<string>,
  { losses }: ReadContext,
): CaseRecord {
  const text = (...names: string[]) => getText(node, ...names)
  const title = cleanName(node.attributes['name'] ?? '')
  const candidates = listKeys(node)
  const key = candidates.find((candidate) => keys.has(candidate)) ?? null
  if (key === null)
    losses.add(candidates.length === 0 ? 'no_key' : 'duplicate_key', { key: candidates[0] ?? null, title })
  const steps = getChild(node, 'steps')
  const attachments = getChildren(getChild(node, 'attachments'), 'attachment').map((each) => ({
    name: getText(each, 'name', 'title'),
  }))
  if (attachments.length > 0) losses.add('attachment_not_in_file', { key, title }, attachments.length)
  const importance = text('importance')
  const execution = text('execution_type', 'executiontype')
  const version = Number(text('version'))
  if (version > 1) losses.add('older_versions', { key, title }, version - 1)
  const keywords = getChildren(getChild(node, 'keywords'), 'keyword')
  if (keywords.some((keyword) => getText(keyword, 'notes') !== '')) {
    losses.add('not_imported:notes_of_keywords', { key, title })
  }
  const minutes = text('estimated_exec_duration')
  return createCase({
    key,
    title,
    folder,
    position,
    markup: 'html',
    precondition: text('preconditions'),
    descriptions: [{ heading: 'Summary', text: text('summary') }],
    steps: getChildren(steps, 'step').map((step): StepRecord => ({
      action: getText(step, 'actions'),
      expected: getText(step, 'expectedresults'),
    })),
    // Very old versions had one text.
    step_text:
      steps !== undefined && steps.children.length === 0
        ? { rule: 'numbered', action: steps.text.trim(), expected: text('expectedresults') }
        : null,
    priority: IMPORTANCE.get(importance) ?? importance,
    type: TYPES.get(execution) ?? execution,
    state: STATES.get(text('status')) ?? text('status'),
    tags: keywords.map(({ attributes }) => attributes['name'] ?? ''),
    written_estimate: { text: minutes, unitSeconds: 60 },
    fields: Object.fromEntries([
      ...['active', 'is_open'].map((name) => [name, text(name)] as const).filter(([, value]) => value === '0'),
      ...getChildren(getChild(node, 'custom_fields'), 'custom_field')
        .map((field) => [getText(field, 'name'), getText(field, 'value')] as const)
        .filter(([name, value]) => name !== '' && value !== ''),
    ]),
    links: getChildren(getChild(node, 'requirements'), 'requirement').map((requirement) => ({
      target: getText(requirement, 'doc_id'),
      kind: 'requirement' as const,
      ...(getText(requirement, 'title') !== '' && { label: getText(requirement, 'title') }),
    })),
    attachments,
    created_by: text('author'),
  })
}
