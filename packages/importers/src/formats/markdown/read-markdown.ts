import { type CaseRecord, createCase, type ImportRecord } from '../../records.ts'
import type { Folders } from '../folders.ts'
import { splitList } from '../folders.ts'

const SECTION: readonly (readonly [RegExp, 'steps' | 'expected' | 'precondition' | 'description'])[] = [
  [/^(?:test )?steps?$|^procedure$/i, 'steps'],
  [/^expected(?: results?| outcome)?$/i, 'expected'],
  [/^(?:pre-?conditions?|pre-?requisites?|setup)$/i, 'precondition'],
  [/^(?:description|summary|objective)$/i, 'description'],
]
const ITEM = /^(?:\d{1,4}[.)]|[-*+])\s+/

interface Heading {
  readonly level: number
  readonly title: string
  readonly sections: Map<string, string[]>
  current: string
  path: readonly string[]
}

/** Reads Markdown: a heading with a list below is a case, the headings above it are folders. */
export function* readMarkdown(
  source: string,
  folderPath: readonly string[],
  folders: Folders,
): Generator<ImportRecord> {
  const { text, front } = readFrontMatter(source)
  const open: Heading[] = []
  const headings: Heading[] = []
  let isFenced = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced
    const [, signs = '', raw = ''] = isFenced ? [] : (/^(#{1,6})\s+(.{1,1000}?)\s*#*$/.exec(line) ?? [])
    const section = SECTION.find(([pattern]) => pattern.test(raw.replace(/:$/, '').trim()))?.[1]
    const last = open.at(-1)
    if (signs !== '' && section !== undefined && last !== undefined) last.current = section
    else if (signs === '') last?.sections.set(last.current, [...(last.sections.get(last.current) ?? []), line])
    else {
      while ((open.at(-1)?.level ?? 0) >= signs.length) open.pop()
      const path = open.map(({ title }) => title)
      const heading: Heading = { level: signs.length, title: raw, sections: new Map(), current: 'body', path }
      open.push(heading)
      headings.push(heading)
    }
  }
  const parents = new Set(headings.flatMap(({ path }) => path.map((_, index) => path.slice(0, index + 1).join('\0'))))
  for (const heading of headings) {
    const full = [...heading.path, heading.title].join('\0')
    const record = toCase(heading, front)
    // A heading with others below is a folder, even if it has a list.
    if (record === null || (parents.has(full) && !heading.sections.has('steps'))) continue
    const { key, records } = folders.add([...folderPath, ...heading.path])
    yield* records
    yield { ...record, folder: key, position: folders.next(key) }
  }
}

function readFrontMatter(source: string): { text: string; front: Map<string, string> } {
  const found = /^\uFEFF?---\r?\n([^]{0,20000}?)\r?\n---\r?\n/.exec(source)
  const front = new Map<string, string>()
  for (const line of (found?.[1] ?? '').split(/\r?\n/)) {
    const [, name, value] = /^([A-Za-z_ ]{1,40}):\s*(.*)$/.exec(line) ?? []
    if (name !== undefined) front.set(name.toLowerCase().trim(), (value ?? '').trim())
  }
  return { text: found === null ? source.replace(/^\uFEFF/, '') : source.slice(found[0].length), front }
}

function toCase({ title, sections }: Heading, front: ReadonlyMap<string, string>): CaseRecord | null {
  const get = (name: string) => (sections.get(name) ?? []).join('\n').trim()
  const body = sections.get('body') ?? []
  const start = body.findIndex((line) => ITEM.test(line))
  const steps = get('steps') || (start < 0 ? '' : body.slice(start).join('\n').trim())
  if (steps === '') return null
  const before = (get('steps') === '' && start >= 0 ? body.slice(0, start) : body).join('\n').trim()
  const meta = (name: string) =>
    new RegExp(`^\\s*${name}:\\s*(.{1,500})$`, 'im').exec(before)?.[1]?.trim() ?? front.get(name) ?? ''
  const bracket = /^\[([A-Za-z][\w]{0,20}-?\d{1,9})\]\s*/.exec(title)
  const key = meta('id') || (bracket?.[1] ?? '')
  return createCase({
    key: key === '' ? null : key,
    title: bracket === null ? title : title.slice(bracket[0].length),
    markup: 'markdown',
    precondition: get('precondition'),
    descriptions: [
      {
        heading: 'Description',
        text: [get('description'), before.replaceAll(/^\s*(?:id|tags|priority|type):.*$/gim, '').trim()]
          .filter((part) => part !== '')
          .join('\n\n'),
      },
    ],
    step_text: { rule: 'numbered', action: steps, expected: get('expected') },
    priority: meta('priority'),
    type: meta('type'),
    tags: splitList(meta('tags').replaceAll(/^\[|\]$/g, '')),
  })
}
