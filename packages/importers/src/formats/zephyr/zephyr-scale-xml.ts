import {
  type CaseRecord,
  createCase,
  type ImportRecord,
  type LinkRecord,
  type StepRecord,
  type StepText,
} from '../../records.ts'
import { getAllText, getChild, getChildren, getText, readXml, type XmlNode } from '../../xml/read-xml.ts'
import { Folders, splitFolderPath } from '../folders.ts'
import type { ReadContext, XmlFormat } from '../format.ts'
import { countUnread, type KnownXml } from '../unread-elements.ts'

const CONTAINERS = new Set(['project', 'folders', 'testCases'])
const KNOWN = new Set([
  'attachments',
  'createdBy',
  'createdOn',
  'customFields',
  'estimatedTime',
  'folder',
  'issues',
  'labels',
  'name',
  'objective',
  'owner',
  'parameters',
  'precondition',
  'priority',
  'status',
  'testDataWrapper',
  'testScript',
  'updatedBy',
  'updatedOn',
  'confluencePageLinks',
])

const FIELDS = 'customFields.customField.name customFields.customField.@name customFields.customField.value'
const ELEMENTS: KnownXml = {
  project: { are: 'projects', read: '', meaningless: 'projectId projectKey exportDate modelVersion jiraVersion' },
  folders: { are: 'folders', read: '' },
  folder: { are: 'folders', read: '@fullPath', meaningless: '@index' },
  testCases: { are: 'test_cases', read: '' },
  testCase: {
    are: 'test_cases',
    read: `@key attachments.* createdBy createdOn ${FIELDS} estimatedTime folder issues.issue.key issues.issue.summary labels.label name objective
      owner parameters.parameter.name parameters.parameter.defaultValue precondition priority status
      testDataWrapper.testDataRow.testDataColumns.testData.name testDataWrapper.testDataRow.testDataColumns.testData.value testScript.details
      testScript.steps.step.description testScript.steps.step.testData testScript.steps.step.expectedResult testScript.steps.step.testCaseKey
      ${FIELDS.replaceAll('customFields', 'testScript.steps.step.customFields')} updatedBy updatedOn confluencePageLinks.*`,
    // How the script and the data are written, and types of fields.
    meaningless: `@id @paramType testScript.@type testScript.steps.step.@index customFields.customField.@type
      testScript.steps.step.customFields.customField.@type parameters.parameter.@index parameters.parameter.type
      testDataWrapper.testDataRow.@index testDataWrapper.testDataRow.testDataColumns.testData.@index
      testDataWrapper.testDataRow.testDataColumns.testData.type`,
    keepsOthers: true,
  },
}

export const zephyrScaleXml: XmlFormat = {
  system: 'zephyr-scale',
  format: 'zephyr-scale-xml',
  matches: ({ root, inner }) =>
    root === 'project' && inner.some((name) => ['projectId', 'projectKey', 'testCases', 'folders'].includes(name)),
  async *read(file, context) {
    const folders = new Folders()
    const events = readXml(file, (name) => CONTAINERS.has(name))
    for await (const event of countUnread(events, ELEMENTS, context.losses, (node) => node.attributes['key'] ?? '')) {
      if (event.type !== 'node') continue
      if (event.node.name === 'folder' && event.parent === 'folders') {
        yield* folders.add(splitFolderPath(event.node.attributes['fullPath'] ?? '', '/')).records
      } else if (event.node.name === 'testCase') yield* readCase(event.node, folders, context)
    }
  },
}

function* readCase(node: XmlNode, folders: Folders, { losses }: ReadContext): Generator<ImportRecord> {
  const { key: folder, records } = folders.add(splitFolderPath(getText(node, 'folder'), '/'))
  yield* records
  const key = node.attributes['key'] ?? ''
  const attachments = getChildren(getChild(node, 'attachments'), 'attachment').map((attachment) => ({
    name: getText(attachment, 'name'),
    url: getText(attachment, 'url'),
  }))
  if (attachments.length > 0)
    losses.add('attachment_not_in_file', { key, title: getText(node, 'name') }, attachments.length)
  const text = (name: string) => getText(node, name)
  yield createCase({
    key: key === '' ? null : key,
    title: text('name'),
    folder,
    position: folders.next(folder),
    markup: 'html',
    precondition: text('precondition'),
    descriptions: [{ heading: 'Objective', text: text('objective') }],
    ...readScript(getChild(node, 'testScript')),
    priority: text('priority'),
    state: text('status'),
    tags: getChildren(getChild(node, 'labels'), 'label').map((label) => label.text.trim()),
    // Milliseconds, or a text.
    written_estimate: { text: text('estimatedTime'), unitSeconds: 1 / 1000 },
    owner: text('owner'),
    fields: {
      ...Object.fromEntries(
        node.children
          .filter(({ name }) => !KNOWN.has(name))
          .map((child) => [child.name, getAllText(child)])
          .filter(([, value]) => value !== ''),
      ),
      ...readCustomFields(node),
    },
    links: [
      ...getChildren(getChild(node, 'issues'), 'issue').map((issue): LinkRecord => ({
        target: getText(issue, 'key'),
        kind: 'requirement',
        ...(getText(issue, 'summary') !== '' && { label: getText(issue, 'summary') }),
      })),
      ...(getChild(node, 'confluencePageLinks')?.children ?? [])
        .map((page): LinkRecord => ({ target: getText(page, 'url') || page.text.trim(), kind: 'other' }))
        .filter(({ target }) => target !== ''),
    ],
    attachments,
    data_set: readData(node),
    created_by: text('createdBy'),
    created_at: text('createdOn'),
    updated_by: text('updatedBy'),
    updated_at: text('updatedOn'),
  })
}

function readScript(script: XmlNode | undefined): Pick<CaseRecord, 'template' | 'steps' | 'step_text'> {
  const type = script?.attributes['type']
  const details = script === undefined ? '' : getText(script, 'details')
  const asText = (rule: StepText['rule']): StepText => ({ rule, action: details, expected: '' })
  if (type === 'bdd') return { template: 'gherkin', steps: [], step_text: asText('gherkin') }
  if (type === 'plain') return { template: 'text', steps: [], step_text: asText('whole') }
  const steps = getChildren(getChild(script, 'steps'), 'step').map((step): StepRecord => {
    const called = getText(step, 'testCaseKey')
    return {
      action: getText(step, 'description'),
      data: getText(step, 'testData'),
      expected: getText(step, 'expectedResult'),
      notes: Object.entries(readCustomFields(step)).map(([name, value]) => `${name}: ${value}`),
      ...(called !== '' && { shared: called }),
    }
  })
  return { template: 'steps', steps, step_text: null }
}

const readCustomFields = (node: XmlNode): Record<string, string> =>
  Object.fromEntries(
    getChildren(getChild(node, 'customFields'), 'customField')
      .map((field) => [getText(field, 'name') || (field.attributes['name'] ?? ''), getText(field, 'value')] as const)
      .filter(([name, value]) => name !== '' && value !== ''),
  )

/** Rows of test data, or parameters with a default each. */
function readData(node: XmlNode): CaseRecord['data_set'] {
  const rows = getChildren(getChild(node, 'testDataWrapper'), 'testDataRow').map((row) =>
    getChildren(getChild(row, 'testDataColumns'), 'testData').map(
      (cell) => [getText(cell, 'name'), getText(cell, 'value')] as const,
    ),
  )
  if (rows.length > 0) {
    const columns = [...new Set(rows.flatMap((row) => row.map(([name]) => name)))]
    return { columns, rows: rows.map((row) => columns.map((column) => new Map(row).get(column) ?? '')) }
  }
  const parameters = getChildren(getChild(node, 'parameters'), 'parameter')
  if (parameters.length === 0) return null
  return {
    columns: parameters.map((parameter) => getText(parameter, 'name')),
    rows: [parameters.map((parameter) => getText(parameter, 'defaultValue'))],
  }
}
