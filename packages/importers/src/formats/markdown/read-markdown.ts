import { type CaseRecord, createCase, type ImportRecord, type StepRecord } from '../../records.ts'
import type { Losses } from '../../losses.ts'
import type { Folders } from '../folders.ts'
import { splitList } from '../folders.ts'
import { type Heading, readHeadings, readPairs } from './read-headings.ts'

const ITEM = /^(?:\d{1,4}[.)]|[-*+])\s+/
/** A line of a step that says what is expected. */
const EXPECTED = /^\s*(?:[-*+]\s+)?[*_]{0,2}expected(?: results?| outcome)?[*_]{0,2}\s*:[*_]{0,2}\s*/i
/** Values that a test case has a place for; `title` is that of the page. */
const PLACES = new Set(['id', 'tags', 'labels', 'priority', 'type', 'title'])
/** The id of a suite is that of Testomat itself. */
const PLACES_OF_SUITES = new Set(['id', 'emoji'])

/**
 * Reads Markdown: a heading with a list below is a case, as is one that a comment calls a test; the headings above it are folders.
 * Texts below neither are counted.
 */
export function* readMarkdown(
  source: string,
  folderPath: readonly string[],
  folders: Folders,
  losses: Losses,
): Generator<ImportRecord> {
  const { text, front } = readFrontMatter(source)
  const { headings, before } = readHeadings(text)
  const parents = new Set(headings.flatMap(({ path }) => path.map((_, index) => toKey(path.slice(0, index + 1)))))
  const found = headings.map((heading) => {
    const isParent = parents.has(toKey([...heading.path, heading.title]))
    const record = toCase(heading, front)
    // A heading with others below is a folder, even if it has a list.
    const isCase = heading.kind === 'test' || heading.sections.has('steps') || !isParent
    return { heading, isParent, record: isCase ? record : null }
  })
  const descriptions = new Map<string, string>()
  if (before !== '') losses.add('rows_ignored', { title: before.slice(0, 80) })
  for (const { kind, title, meta } of headings) {
    const unread = kind === 'suite' ? [...meta.keys()].filter((name) => !PLACES_OF_SUITES.has(name)) : []
    for (const place of unread) losses.add('not_imported:values_of_suites', { title, place })
  }
  for (const { heading, isParent, record } of found) {
    const lines = [...heading.sections.values()].flat().join('\n').trim()
    if (record !== null || lines === '') continue
    const key = toKey([...folderPath, ...heading.path, heading.title])
    const earlier = descriptions.get(key)
    if (isParent) descriptions.set(key, earlier === undefined ? lines : `${earlier}\n\n${lines}`)
    else losses.add('rows_ignored', { title: heading.title.slice(0, 80) })
  }
  for (const { heading, record } of found) {
    if (record === null) continue
    const path = [...folderPath, ...heading.path]
    const { key, records } = folders.add(path)
    for (const [index, folder] of records.entries()) {
      const description = descriptions.get(toKey(path.slice(0, path.length - records.length + index + 1)))
      yield description === undefined ? folder : { ...folder, description }
    }
    yield { ...record, folder: key, position: folders.next(key) }
  }
}

const toKey = (path: readonly string[]) => path.join('\0')

function readFrontMatter(source: string): { text: string; front: Map<string, string> } {
  const found = /^\uFEFF?---\r?\n([^]{0,20000}?)\r?\n---\r?\n/.exec(source)
  const text = found === null ? source.replace(/^\uFEFF/, '') : source.slice(found[0].length)
  return { text, front: readPairs(found?.[1] ?? '') }
}

function toCase({ kind, title, meta: own, sections }: Heading, front: ReadonlyMap<string, string>): CaseRecord | null {
  if (kind === 'suite') return null
  const get = (name: string) => (sections.get(name) ?? []).join('\n').trim()
  const body = sections.get('body') ?? []
  const start = body.findIndex((line) => ITEM.test(line))
  const steps = get('steps') || (start < 0 ? '' : body.slice(start).join('\n').trim())
  if (steps === '' && kind === null) return null
  const before = (get('steps') === '' && start >= 0 ? body.slice(0, start) : body).join('\n').trim()
  const meta = (name: string) =>
    new RegExp(`^\\s*${name}:\\s*(.{1,500})$`, 'im').exec(before)?.[1]?.trim() ?? own.get(name) ?? front.get(name) ?? ''
  const bracket = /^\[([A-Za-z][\w]{0,20}-?\d{1,9})\]\s*/.exec(title)
  const key = meta('id') || (bracket?.[1] ?? '')
  const separate = splitItems(steps)
  return createCase({
    key: key === '' ? null : key,
    title: bracket === null ? title : title.slice(bracket[0].length),
    markup: 'markdown',
    precondition: get('precondition'),
    descriptions: [
      {
        heading: 'Description',
        text: [before.replaceAll(/^\s*(?:id|tags|priority|type):.*$/gim, '').trim(), get('description')]
          .filter((part) => part !== '')
          .join('\n\n'),
      },
    ],
    ...(separate === null
      ? { step_text: { rule: 'numbered' as const, action: steps, expected: get('expected') } }
      : { steps: separate, expected_result: get('expected') }),
    priority: meta('priority'),
    type: meta('type'),
    tags: [meta('tags'), meta('labels')].flatMap((list) => splitList(list.replaceAll(/^\[|\]$/g, ''))),
    fields: Object.fromEntries([...front, ...own].filter(([name]) => !PLACES.has(name))),
  })
}

/** A step for each item of a list whose items say what is expected; null if none does. */
function splitItems(text: string): StepRecord[] | null {
  const lines = text.split('\n')
  if (!ITEM.test(lines[0] ?? '') || !lines.some((line) => EXPECTED.test(line))) return null
  const items: { action: string[]; expected: string[] | null }[] = []
  for (const line of lines) {
    const item = items.at(-1)
    if (item !== undefined && EXPECTED.test(line))
      item.expected = [...(item.expected ?? []), line.replace(EXPECTED, '')]
    else if (ITEM.test(line)) items.push({ action: [line.replace(ITEM, '')], expected: null })
    else (item?.expected ?? item?.action)?.push(line.trimStart())
  }
  const join = (parts: readonly string[] | null) => (parts ?? []).join('\n').trim()
  return items.map(({ action, expected }) => ({ action: join(action), expected: join(expected) }))
}
