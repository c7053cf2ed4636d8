import { formatTable } from './markdown-table.ts'

/** Converts the wiki markup of Jira to Markdown, line by line. Nothing is touched inside code. */
export function jiraToMarkdown(wiki: string): string {
  if (!/[{[|*_+\-#!\\]|^(?:h[1-6]|bq)\./m.test(wiki)) return wiki
  const out: string[] = []
  let fence: string | null = null
  let table: string[][] = []
  const flushTable = () => {
    if (table.length > 0) out.push(formatTable(table))
    table = []
  }
  for (const line of wiki.split(/\r\n|\r|\n/)) {
    if (fence !== null) {
      const end = line.indexOf(fence)
      if (end >= 0) {
        if (line.slice(0, end).trim() !== '') out.push(line.slice(0, end))
        out.push('```')
        const rest = line.slice(end + fence.length)
        if (rest.trim() !== '') out.push(convertInline(rest))
        fence = null
      } else out.push(line)
      continue
    }
    const row = readRow(line)
    if (row !== null) {
      table.push(row)
      continue
    }
    flushTable()
    // `{{code}}` is a word in a fixed width.
    const start = /^(.*?)(?<!\{)\{(code|noformat)(?::([^{}]{0,200}))?\}(.*)$/.exec(line)
    if (start === null) {
      out.push(convertLine(line))
      continue
    }
    const [, before = '', name = '', options = '', rest = ''] = start
    const end = rest.indexOf(`{${name}}`)
    if (before.trim() !== '') out.push(convertLine(before))
    const language = /^[a-z0-9#+]+$/i.test(options) ? options : ''
    if (end >= 0) {
      out.push(`\`\`\`${language}`, rest.slice(0, end), '```')
      const after = rest.slice(end + name.length + 2)
      if (after.trim() !== '') out.push(convertInline(after))
    } else {
      out.push(`\`\`\`${language}`)
      if (rest.trim() !== '') out.push(rest)
      fence = `{${name}}`
    }
  }
  flushTable()
  if (fence !== null) out.push('```')
  return out.join('\n').trim()
}

/** `||head||head||`, `|cell|cell|`. */
function readRow(line: string): string[] | null {
  const trimmed = line.trim()
  if (trimmed.length < 2 || !trimmed.startsWith('|') || !trimmed.endsWith('|')) return null
  // A bar within a link or a picture parts no cells.
  const guarded = trimmed.replaceAll(/\[[^[\]\n]{0,2000}\]|![^!\s|]{1,500}\|[^!|\n]{0,200}!/g, (text) =>
    text.replaceAll('|', '\0'),
  )
  const cells = guarded
    .replace(/^\|+/, '')
    .replace(/\|+$/, '')
    .split(/\|{1,2}/)
  return cells.map((cell) => convertInline(cell.replaceAll('\0', '|').trim()).replaceAll('|', '\\|'))
}

function convertLine(line: string): string {
  const heading = /^\s*h([1-6])\.\s*(.*)$/.exec(line)
  if (heading !== null) return `${'#'.repeat(Number(heading[1]))} ${convertInline(heading[2] ?? '')}`
  const quote = /^\s*bq\.\s*(.*)$/.exec(line)
  if (quote !== null) return `> ${convertInline(quote[1] ?? '')}`
  if (/^\s*-{4,}\s*$/.test(line)) return '---'
  const item = /^\s*([*#-]{1,20})\s+(\S.*)$/.exec(line)
  if (item !== null) {
    const signs = item[1] ?? ''
    const sign = signs.endsWith('#') ? '1.' : '-'
    if (/^-{2,3}$/.test(signs)) return convertInline(line)
    return `${'    '.repeat(signs.length - 1)}${sign} ${convertInline(item[2] ?? '')}`
  }
  return convertInline(line)
}

const IMAGE = /!([^!|\s][^!|\n]{0,500})(?:\|[^!\n]{0,300})?!/g
const LINK = /\[([^[\]|\n]{1,1000})(?:\|([^[\]\n]{1,2000}))?\]/g

function convertInline(text: string): string {
  // Code keeps its signs.
  return text
    .split(/(\{\{[^{}\n]{1,2000}\}\})/)
    .map((part) => (part.startsWith('{{') ? `\`${part.slice(2, -2)}\`` : convertSigns(part)))
    .join('')
}

const convertSigns = (text: string): string =>
  text
    .replaceAll(/\{(?:color|panel|quote|info|note|tip|warning|expand|anchor)(?::[^{}\n]{0,500})?\}/g, '')
    .replaceAll(IMAGE, (whole, name: string) =>
      /\.[a-z0-9]{2,5}$|^https?:/i.test(name) ? `![](${name.replaceAll(' ', '%20')})` : whole,
    )
    .replaceAll(LINK, convertLink)
    .replaceAll(/(^|[\s(])\*(?=\S)([^*\n]{1,2000}?)(?<=\S)\*(?=$|[\s).,:;!?])/g, '$1**$2**')
    .replaceAll(/(^|[\s(])-(?=[^\s-])([^-\n]{1,500}?)(?<=\S)-(?=$|[\s).,:;!?])/g, '$1~~$2~~')
    .replaceAll(/(^|[\s(])\+(?=\S)([^+\n]{1,2000}?)(?<=\S)\+(?=$|[\s).,:;!?])/g, '$1$2')
    .replaceAll(/\\\\(?=\s|$)/g, '\n')

function convertLink(whole: string, text: string, target: string | undefined): string {
  if (target !== undefined) {
    const [address = ''] = target.split('|')
    return /^(?:https?:|mailto:)/i.test(address) ? `[${text}](${address.trim().replaceAll(' ', '%20')})` : whole
  }
  if (text.startsWith('~')) return `@${text.slice(1).replace(/^accountid:/, '')}`
  return /^https?:/i.test(text) ? `<${text}>` : whole
}
