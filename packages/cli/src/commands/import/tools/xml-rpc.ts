import { createXmlParser } from '@caseward/junit/xml-parser'

/** What a call takes. */
export type RpcValue = string | number | boolean | { readonly [name: string]: RpcValue }

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function formatValue(value: RpcValue): string {
  if (typeof value === 'boolean') return `<value><boolean>${value ? 1 : 0}</boolean></value>`
  if (typeof value === 'number') return `<value><int>${value}</int></value>`
  if (typeof value === 'string') return `<value><string>${escapeText(value)}</string></value>`
  const members = Object.entries(value).map(
    ([name, member]) => `<member><name>${escapeText(name)}</name>${formatValue(member)}</member>`,
  )
  return `<value><struct>${members.join('')}</struct></value>`
}

/** Formats a call of XML-RPC with one parameter, http://xmlrpc.com/spec.md */
export const formatCall = (method: string, parameter: RpcValue): string =>
  `<?xml version="1.0" encoding="UTF-8"?><methodCall><methodName>${method}</methodName><params><param>${formatValue(parameter)}</param></params></methodCall>`

interface Node {
  readonly name: string
  readonly children: Node[]
  text: string
}

/**
 * Parses what a call returns. Numbers stay texts, and contents stay Base64.
 * @returns the value, or the reason of a fault
 * @throws when it is no XML of a call
 */
export function parseAnswer(text: string): { value: unknown } | { fault: string } {
  const root: Node = { name: '', children: [], text: '' }
  const open = [root]
  const parser = createXmlParser({
    rejectRoot: (name) => (name === 'methodResponse' ? null : `<${name}> is no answer of XML-RPC`),
    open(name) {
      const node: Node = { name, children: [], text: '' }
      open.at(-1)?.children.push(node)
      open.push(node)
    },
    close: () => void open.pop(),
    text(piece) {
      const node = open.at(-1)
      if (node !== undefined) node.text += piece
    },
    comment: () => undefined,
  })
  parser.write(text)
  parser.end()
  const answer = findChild(root, 'methodResponse')
  const fault = findChild(answer, 'fault')
  if (fault !== undefined) {
    const value = toValue(findChild(fault, 'value'))
    const { faultString: reason } = value as Readonly<Record<string, unknown>>
    return { fault: typeof reason === 'string' ? reason : 'no reason' }
  }
  return { value: toValue(findChild(findChild(findChild(answer, 'params'), 'param'), 'value')) }
}

const findChild = (node: Node | undefined, name: string): Node | undefined =>
  node?.children.find((child) => child.name === name)

function toValue(value: Node | undefined): unknown {
  const [typed] = value?.children ?? []
  if (typed === undefined) return value?.text ?? ''
  if (typed.name === 'struct') {
    return Object.fromEntries(
      typed.children.map((member) => [findChild(member, 'name')?.text ?? '', toValue(findChild(member, 'value'))]),
    )
  }
  if (typed.name === 'array') return (findChild(typed, 'data')?.children ?? []).map(toValue)
  if (typed.name === 'nil') return null
  return typed.name === 'boolean' ? typed.text.trim() === '1' : typed.text
}
