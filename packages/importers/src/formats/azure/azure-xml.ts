import { JUnitError } from '@caseward/junit/junit-error'
import { createXmlParser } from '@caseward/junit/xml-parser'

import { isRaw, type Raw, readList } from '../caseward/read-values.ts'
import { toText } from '../answers.ts'

/** A step, or the work item whose steps come in its place. */
export type AzureStep = { readonly action: string; readonly expected: string } | { readonly shared: string }

export interface Rows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  text: string
}

/** Calls back at the start and at the end of each element, whose text is that directly within it. @returns whether it is XML */
function readElements(
  xml: string,
  onOpen: (element: Element) => void,
  onClose: (element: Element, depth: number) => void,
): boolean {
  const open: Element[] = []
  const parser = createXmlParser({
    rejectRoot: () => null,
    open(name, attributes) {
      const element = { name: name.slice(name.indexOf(':') + 1), attributes, text: '' }
      open.push(element)
      onOpen(element)
    },
    close() {
      const element = open.pop()
      if (element !== undefined) onClose(element, open.length)
    },
    text(piece) {
      const element = open.at(-1)
      if (element !== undefined) element.text += piece
    },
    comment: () => undefined,
  })
  try {
    parser.write(xml)
    parser.end()
    return true
  } catch (error) {
    if (error instanceof JUnitError) return false
    throw error
  }
}

/**
 * Reads the steps of a test case. Shared steps contain the steps that follow them.
 * @returns null if it is no XML
 */
export function readAzureSteps(xml: string): AzureStep[] | null {
  if (xml.trim() === '') return []
  const steps: AzureStep[] = []
  let texts: string[] = []
  const isRead = readElements(
    xml,
    ({ name, attributes }) => {
      if (name === 'compref') steps.push({ shared: attributes['ref'] ?? '' })
      if (name === 'step') texts = []
    },
    ({ name, text }) => {
      if (name === 'parameterizedString') texts.push(text)
      if (name === 'step') steps.push({ action: texts[0] ?? '', expected: texts[1] ?? '' })
    },
  )
  return isRead ? steps : null
}

/** Names with a blank are written `User_x0020_name`. */
const decodeName = (name: string) =>
  name.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))

/** Reads the rows of a data set: an element for each row, with one for each value. */
function readDataSet(xml: string): Rows | null {
  const found: Map<string, string>[] = []
  let row = new Map<string, string>()
  const isRead = readElements(
    xml,
    () => undefined,
    ({ name, text }, depth) => {
      // Of the schema that precedes the rows, nothing is at this depth but its own element.
      if (depth === 2) row.set(decodeName(name), text)
      if (depth !== 1) return
      if (name !== 'schema') found.push(row)
      row = new Map()
    },
  )
  return isRead ? toRows(found) : null
}

/** Reads the rows of shared parameters: a row with pairs of a key and a value. */
export function readSharedRows(xml: string): Rows | null {
  const found: Map<string, string>[] = []
  const isRead = readElements(
    xml,
    ({ name, attributes }) => {
      if (name === 'dataRow') found.push(new Map())
      if (name === 'kvp') found.at(-1)?.set(attributes['key'] ?? '', attributes['value'] ?? '')
    },
    () => undefined,
  )
  return isRead ? toRows(found) : null
}

function toRows(found: readonly ReadonlyMap<string, string>[]): Rows {
  const columns = [...new Set(found.flatMap((row) => [...row.keys()]))]
  return { columns, rows: found.map((row) => columns.map((column) => row.get(column) ?? '')) }
}

/**
 * Reads the data of a test case: rows of its own, or ids of shared parameters with the names that they have here.
 * @returns null for nothing that can be read
 */
export function readAzureData(
  text: string,
): Rows | { readonly shared: string; readonly names: ReadonlyMap<string, string> } | null {
  if (!text.trimStart().startsWith('{')) return readDataSet(text)
  try {
    const json: unknown = JSON.parse(text)
    if (!isRaw(json)) return null
    const [shared] = readList(json, 'sharedParameterDataSetIds').map(toText)
    const names = readList(json, 'parameterMap')
      .filter(isRaw)
      .map((each: Raw) => [toText(each['sharedParameterName']), toText(each['localParamName'])] as const)
    return shared === undefined ? null : { shared, names: new Map(names) }
  } catch {
    return null
  }
}
