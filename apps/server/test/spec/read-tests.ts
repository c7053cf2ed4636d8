import { parseAst } from 'vitest/node'

type Node = Record<string, unknown> & { type: string }

/** A test as declared in its source. */
interface DeclaredTest {
  /** The titles of its suites and its own title, with the placeholders of `it.each`. */
  name: string
  tags: string[]
  /** Whether it or its suite is skipped, to do, or skipped under a condition. */
  mayBeSkipped: boolean
}

const SUITES = new Set(['describe', 'suite'])
const TESTS = new Set(['it', 'test'])
const SKIPPING_MODIFIERS = new Set(['skip', 'todo', 'skipIf', 'runIf', 'fails'])

/** Reads the tests with literal titles from the source of a file, in order. */
export function readTests(source: string): DeclaredTest[] {
  const tests: DeclaredTest[] = []
  const visit = (value: unknown, suites: readonly string[], mayBeSkipped: boolean): void => {
    if (Array.isArray(value)) {
      for (const child of value) visit(child, suites, mayBeSkipped)
      return
    }
    if (!isNode(value)) return
    const call = parseCall(value)
    if (call === null) {
      for (const child of Object.values(value)) visit(child, suites, mayBeSkipped)
      return
    }
    const skipped = mayBeSkipped || call.mayBeSkipped
    const path = call.title === null ? suites : [...suites, call.title]
    if (TESTS.has(call.root) && call.title !== null) {
      tests.push({ name: path.join(' > '), tags: call.tags, mayBeSkipped: skipped })
    }
    if (SUITES.has(call.root)) visit(call.rest, path, skipped)
  }
  visit(parseAst(source, { lang: 'ts' }), [], false)
  return tests
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

interface Call {
  root: string
  title: string | null
  rest: unknown[]
  tags: string[]
  mayBeSkipped: boolean
}

/** Parses a call such as `it.each([…])('title', …)` or `describe('title', …)`; returns null for other nodes. */
function parseCall(node: Node): Call | null {
  if (node.type !== 'CallExpression') return null
  const { root, words } = parseChain(node['callee'])
  if (!SUITES.has(root) && !TESTS.has(root)) return null
  const [title, ...rest] = node['arguments'] as unknown[]
  const options = rest.filter(isNode).filter(({ type }) => type === 'ObjectExpression')
  const properties = options.flatMap((option) => option['properties'] as Node[])
  const names = properties.map(({ key }) => getName(key))
  const tags = properties.filter(({ key }) => getName(key) === 'tags').flatMap(({ value }) => getTexts(value))
  return {
    root,
    title: getText(title),
    rest,
    tags,
    mayBeSkipped: [...words, ...names].some((word) => SKIPPING_MODIFIERS.has(word)),
  }
}

/** Splits a callee: `it.skip.each([…])` has the root `it` and the words `skip` and `each`. */
function parseChain(callee: unknown): { root: string; words: string[] } {
  if (!isNode(callee)) return { root: '', words: [] }
  if (callee.type === 'Identifier') return { root: getName(callee), words: [] }
  if (callee.type === 'CallExpression') return parseChain(callee['callee'])
  if (callee.type === 'TaggedTemplateExpression') return parseChain(callee['tag'])
  if (callee.type !== 'MemberExpression') return { root: '', words: [] }
  const { root, words } = parseChain(callee['object'])
  return { root, words: [...words, getName(callee['property'])] }
}

const getName = (value: unknown): string =>
  isNode(value) && typeof value['name'] === 'string' ? value['name'] : (getText(value) ?? '')

/** Returns the strings of an array. */
const getTexts = (value: unknown): string[] =>
  isNode(value) && value.type === 'ArrayExpression'
    ? (value['elements'] as unknown[]).map(getText).filter((text) => text !== null)
    : []

/** Returns the text of a string, or of a template without expressions; null for other nodes. */
function getText(value: unknown): string | null {
  if (!isNode(value)) return null
  if (value.type === 'Literal') return typeof value['value'] === 'string' ? value['value'] : null
  if (value.type !== 'TemplateLiteral') return null
  const [text, ...others] = value['quasis'] as { value: { cooked: string | null } }[]
  return others.length === 0 ? (text?.value.cooked ?? null) : null
}
