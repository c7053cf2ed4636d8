import { splitFolderPath } from '../folders.ts'

const SECTION: readonly (readonly [RegExp, 'steps' | 'expected' | 'precondition' | 'description'])[] = [
  [/^(?:test )?steps?$|^procedure$/i, 'steps'],
  [/^expected(?: results?| outcome)?$/i, 'expected'],
  [/^(?:pre-?conditions?|pre-?requisites?|requirements?|setup)$/i, 'precondition'],
  [/^(?:description|summary|objective)$/i, 'description'],
]

/** A heading with what is below it, up to the next one. */
export interface Heading {
  readonly level: number
  readonly title: string
  /** The headings around it. */
  readonly path: readonly string[]
  /** What a comment above it says it is, as Testomat writes it: `<!-- test`. */
  readonly kind: 'test' | 'suite' | null
  /** Names and values of that comment. */
  readonly meta: ReadonlyMap<string, string>
  /** Lines by what they are about; `body` without a heading of their own. */
  readonly sections: Map<string, string[]>
  current: string
}

/** What a comment tells about the heading below it. */
type Note = Pick<Heading, 'kind' | 'meta'>

const NO_NOTE: Note = { kind: null, meta: new Map() }

/** Reads the headings of Markdown. @returns also the lines above the first one */
export function readHeadings(text: string): { headings: Heading[]; before: string } {
  const open: Heading[] = []
  const headings: Heading[] = []
  const before: string[] = []
  let isFenced = false
  let note = NO_NOTE
  let comment: string | null = null
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (comment === null && /^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced
    const last = open.at(-1)
    if (comment !== null || (!isFenced && /^\s*<!--/.test(line))) {
      comment = comment === null ? line : `${comment}\n${line}`
      if (!line.includes('-->')) continue
      const found = readNote(comment)
      note = found?.note ?? note
      const rest = found === null ? comment : found.after
      if (rest.trim() !== '') addText(last, before, rest)
      comment = null
      continue
    }
    const [, signs = '', raw = ''] = isFenced ? [] : (/^(#{1,6})\s+(.{1,1000}?)\s*#*$/.exec(line) ?? [])
    const test = open.find(({ kind }) => kind === 'test')
    const section = SECTION.find(([pattern]) => pattern.test(raw.replace(/:$/, '').trim()))?.[1]
    if (signs === '') addText(last, before, line)
    else if (section !== undefined && last !== undefined) last.current = section
    else if (test !== undefined && note.kind === null && signs.length > test.level) {
      // A test has parts of any name.
      test.current = 'description'
      addLine(test, `**${raw}**`)
    } else {
      // A suite is around the tests that follow, whatever their level, and names the suites that it is in.
      const isAround = ({ level, kind }: Heading) =>
        note.kind !== 'suite' && (level < signs.length || (kind === 'suite' && note.kind === 'test'))
      let around = open.at(-1)
      while (around !== undefined && !isAround(around)) {
        open.pop()
        around = open.at(-1)
      }
      const names = note.kind === 'suite' ? splitFolderPath(raw, ' > ') : [raw]
      const heading: Heading = {
        ...note,
        level: signs.length,
        title: names.at(-1) ?? raw,
        path: [...(around === undefined ? [] : [...around.path, around.title]), ...names.slice(0, -1)],
        sections: new Map(),
        current: 'body',
      }
      open.push(heading)
      headings.push(heading)
      note = NO_NOTE
    }
  }
  if (comment !== null) addText(open.at(-1), before, comment)
  return { headings, before: before.join('\n').trim() }
}

/** Adds a text to the innermost heading, or to what is above all of them. */
function addText(heading: Heading | undefined, before: string[], text: string): void {
  if (heading === undefined) before.push(text)
  else addLine(heading, text)
}

function addLine({ sections, current }: Heading, line: string): void {
  const lines = sections.get(current)
  if (lines === undefined) sections.set(current, [line])
  else lines.push(line)
}

/** Reads `<!-- test`, with a name and a value a line, and what follows it; null for any other comment. */
function readNote(comment: string): { note: Note; after: string } | null {
  const [, kind, lines = '', after = ''] = /^\s*<!--\s*(test|suite)\b([^]*?)-->([^]*)$/i.exec(comment) ?? []
  if (kind === undefined) return null
  return { note: { kind: kind.toLowerCase() === 'test' ? 'test' : 'suite', meta: readPairs(lines) }, after }
}

/** Reads lines such as `priority: high`. */
export function readPairs(lines: string): Map<string, string> {
  const pairs = new Map<string, string>()
  for (const line of lines.split(/\r?\n/)) {
    const [, name, value = ''] = /^\s*([A-Za-z_ ]{1,40}):\s*(.*)$/.exec(line) ?? []
    if (name !== undefined && value.trim() !== '') pairs.set(name.toLowerCase().trim(), value.trim())
  }
  return pairs
}
