import { formatTable } from './markdown-table.ts'

/** Converts Textile to Markdown, line by line. */
export function textileToMarkdown(textile: string): string {
  const out: string[] = []
  let rows: string[][] = []
  const flush = () => {
    if (rows.length > 0) out.push(formatTable(rows))
    rows = []
  }
  for (const line of textile.split(/\r\n|\r|\n/)) {
    const trimmed = line.trim()
    if (trimmed.length > 2 && trimmed.startsWith('|') && trimmed.endsWith('|')) {
      rows.push(
        trimmed
          .slice(1, -1)
          .split('|')
          .map((cell) => convertInline(cell.replace(/^_\./, '').trim())),
      )
      continue
    }
    flush()
    out.push(convertLine(line))
  }
  flush()
  return out.join('\n').trim()
}

function convertLine(line: string): string {
  const heading = /^h([1-6])\.\s+(.*)$/.exec(line)
  if (heading !== null) return `${'#'.repeat(Number(heading[1]))} ${convertInline(heading[2] ?? '')}`
  const quote = /^bq\.\s+(.*)$/.exec(line)
  if (quote !== null) return `> ${convertInline(quote[1] ?? '')}`
  const item = /^\s*([*#]{1,20})\s+(\S.*)$/.exec(line)
  if (item !== null) {
    const signs = item[1] ?? ''
    return `${'    '.repeat(signs.length - 1)}${signs.endsWith('#') ? '1.' : '-'} ${convertInline(item[2] ?? '')}`
  }
  return convertInline(line.replace(/^p\.\s+/, ''))
}

const convertInline = (text: string): string =>
  text
    .replaceAll(/"([^"\n]{1,500})":(https?:\/\/\S{1,2000})/g, '[$1]($2)')
    .replaceAll(/!(https?:\/\/[^\s!]{1,2000})!/g, '![]($1)')
    .replaceAll(/(^|[\s(])\*(?=\S)([^*\n]{1,2000}?)(?<=\S)\*(?=$|[\s).,:;!?])/g, '$1**$2**')
    .replaceAll(/(^|[\s(])@([^@\n]{1,2000})@/g, '$1`$2`')
