import { createCase } from '../../records.ts'
import { Folders, splitFolderPath, splitList } from '../folders.ts'
import type { TableFormat } from '../format.ts'
import { readBody } from '../table-body.ts'

const KNOWN = ['ID', 'Title', 'Folder', 'Description', 'Priority', 'Status', 'Tags', 'Owner']

export const testomat: TableFormat = {
  system: 'testomat',
  format: 'testomat',
  matches: (columns) => columns.has('Folder', 'Emoji'),
  async *read(tables, { losses }) {
    const folders = new Folders()
    for (const table of tables) {
      const { columns } = table
      for await (const row of readBody(table, losses)) {
        const get = (...names: string[]) => columns.get(row, ...names)
        const { key: folder, records } = folders.add(splitFolderPath(get('Folder'), '/'))
        yield* records
        const { before, steps } = splitDescription(get('Description'))
        yield createCase({
          key: get('ID') === '' ? null : get('ID'),
          title: get('Title'),
          folder,
          position: folders.next(folder),
          descriptions: [{ heading: 'Description', text: before }],
          steps,
          priority: get('Priority'),
          state: get('Status'),
          tags: splitList(get('Tags')),
          owner: get('Owner'),
          fields: columns.rest(row, KNOWN),
        })
      }
    }
  },
}

/** Items below `## Steps`, each with `*Expected:*` below it. */
function splitDescription(text: string) {
  const lines = text.split(/\r\n|\r|\n/)
  const start = lines.findIndex((line) => /^#{1,6}\s+steps\s*$/i.test(line))
  const steps: { action: string[]; expected: string[] | null }[] = []
  const before = start < 0 ? lines : lines.slice(0, start)
  const rest = start < 0 ? [] : lines.slice(start + 1)
  for (const [index, line] of rest.entries()) {
    if (/^#{1,6}\s/.test(line)) {
      before.push(...rest.slice(index))
      break
    }
    const item = /^(?:\d{1,4}[.)]|[*+-])\s+(.*)$/.exec(line)
    const expected = /^\s*\*{1,2}Expected(?: result)?:?\*{1,2}:?\s*(.*)$/i.exec(line.replace(/^\s*[*-]\s+(?=\*)/, ''))
    const last = steps.at(-1)
    if (expected !== null && last !== undefined) last.expected = [expected[1] ?? '']
    else if (item !== null) steps.push({ action: [item[1] ?? ''], expected: null })
    else if (last !== undefined) (last.expected ?? last.action).push(line.trim())
    else before.push(line)
  }
  return {
    before: before.join('\n').trim(),
    steps: steps.map(({ action, expected }) => ({
      action: action.join('\n').trim(),
      expected: (expected ?? []).join('\n').trim(),
    })),
  }
}
