import { createByteDecoder } from '@caseward/junit/decode-bytes'
import { createXmlParser } from '@caseward/junit/xml-parser'
import { JUnitError } from '@caseward/junit/junit-error'

import { ImportProblem } from '../import-problem.ts'
import type { ImportFile } from '../input/import-file.ts'

/** An element with all that it contains. */
export interface XmlNode {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
  /** Its own text, without that of its children. */
  readonly text: string
}

export type XmlEvent =
  | { readonly type: 'open'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly type: 'close'; readonly name: string }
  | { readonly type: 'node'; readonly node: XmlNode; readonly parent: string }

interface OpenNode extends XmlNode {
  children: XmlNode[]
  text: string
}

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Reads XML as a stream: containers are opened and closed, everything directly within them comes as a whole. Only one such
 * part is in memory at a time.
 * @param isContainer by the name of an element and that of its parent, '' for the root
 * @throws {ImportProblem}
 */
export async function* readXml(
  file: ImportFile,
  isContainer: (name: string, parent: string) => boolean,
): AsyncGenerator<XmlEvent> {
  let events: XmlEvent[] = []
  const containers: string[] = []
  const open: OpenNode[] = []
  const parser = createXmlParser({
    rejectRoot: () => null,
    open(rawName, attributes) {
      const name = withoutPrefix(rawName)
      if (open.length === 0 && isContainer(name, containers.at(-1) ?? '')) {
        containers.push(name)
        events.push({ type: 'open', name, attributes })
      } else open.push({ name, attributes, children: [], text: '' })
    },
    close() {
      const closed = open.pop()
      if (closed === undefined) {
        events.push({ type: 'close', name: containers.pop() ?? '' })
        return
      }
      const parent = open.at(-1)
      if (parent === undefined) events.push({ type: 'node', node: closed, parent: containers.at(-1) ?? '' })
      else parent.children.push(closed)
    },
    text(value) {
      const node = open.at(-1)
      if (node !== undefined) node.text += value
    },
    comment: () => undefined,
  })
  const decoder = createByteDecoder()
  const run = (step: () => void): XmlEvent[] => {
    try {
      step()
    } catch (error) {
      throw error instanceof JUnitError ? toProblem(error) : error
    }
    const found = events
    events = []
    return found
  }
  for await (const piece of file.read()) yield* run(() => parser.write(decoder.write(piece)))
  yield* run(() => parser.write(decoder.end()))
  yield* run(() => parser.end())
}

/** The parser was written for reports of tests, and calls every file one. */
const toProblem = (error: JUnitError) =>
  new ImportProblem('unreadable_file', error.message.replaceAll(/\breport\b/g, 'file'), { cause: error })

/** The first element in a file, and those below it: enough to tell the format. */
export async function readXmlStart(file: ImportFile): Promise<{ root: string; attributes: string[]; inner: string[] }> {
  const names: string[] = []
  let attributes: string[] = []
  for await (const event of readXml(file, () => names.length < 12)) {
    if (event.type === 'close') continue
    if (event.type === 'node') {
      names.push(event.node.name)
      break
    }
    if (names.length === 0) attributes = Object.keys(event.attributes)
    names.push(event.name)
  }
  return { root: names[0] ?? '', attributes, inner: names.slice(1) }
}

/** The text of a child; '' if there is none. Indentation that a program has put into it is removed. */
export const getText = (node: XmlNode, ...names: readonly string[]): string => {
  const child = node.children.find(({ name }) => names.includes(name))
  return child === undefined ? '' : trimIndent(child.text)
}

export const getChildren = (node: XmlNode | undefined, name: string): readonly XmlNode[] =>
  node?.children.filter((child) => child.name === name) ?? []

export const getChild = (node: XmlNode | undefined, name: string): XmlNode | undefined => getChildren(node, name)[0]

/** All that is in an element: its text, or the texts of its children; of an option with an id and a value, the value. */
export function getAllText(node: XmlNode): string {
  const value = getText(node, 'value')
  if (value !== '') return value
  return [node.text.trim(), ...node.children.map(getAllText)].filter((text) => text !== '').join(', ')
}

/** Removes what a program that indents XML adds to a text: line breaks at its ends, and the indent that all its lines share. */
function trimIndent(text: string): string {
  if (!/^\s|\s$/.test(text)) return text
  const lines = text
    .replace(/^[ \t]*\r?\n/, '')
    .trimEnd()
    .split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const indent = indents.reduce((least, next) => Math.min(least, next), Number.POSITIVE_INFINITY)
  return lines
    .map((line) => line.slice(Math.min(indent, line.length)))
    .join('\n')
    .trim()
}
