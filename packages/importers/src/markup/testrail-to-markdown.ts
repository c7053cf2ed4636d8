import { formatTable } from './markdown-table.ts'

/** TestRail writes Markdown with tables of its own: `|||:a|:b` is the head, `||c|d` a row. */
export function testrailToMarkdown(text: string): string {
  if (!text.includes('||')) return text
  const out: string[] = []
  let rows: string[][] = []
  const flush = () => {
    if (rows.length > 0) out.push(formatTable(rows))
    rows = []
  }
  for (const line of text.split(/\r\n|\r|\n/)) {
    const cells = /^\s*\|\|\|?(.*)$/.exec(line)?.[1]
    if (cells === undefined) {
      flush()
      out.push(line)
    } else
      rows.push(
        cells
          .replace(/\|\s*$/, '')
          .split('|')
          .map((cell) => cell.trim().replace(/^:/, '').trim()),
      )
  }
  flush()
  return out.join('\n')
}
