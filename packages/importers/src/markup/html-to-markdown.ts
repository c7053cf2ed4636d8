import { Parser } from 'htmlparser2'

import { createTableWriter, type TableWriter } from './markdown-table.ts'

/** Deeper elements are read without their tags: browsers and libraries take quadratic time for them. */
const MAX_DEPTH = 100

const DROPPED = new Set(['script', 'style', 'head', 'title', 'noscript', 'template', 'iframe', 'object'])
const MARKS: ReadonlyMap<string, string> = new Map([
  ['strong', '**'],
  ['b', '**'],
  ['em', '_'],
  ['i', '_'],
  ['s', '~~'],
  ['strike', '~~'],
  ['del', '~~'],
])
const BLOCKS = new Set(['p', 'div', 'section', 'article', 'header', 'footer', 'center', 'dl', 'dt', 'dd', 'figure'])
const KNOWN_TAG =
  /<\/?(?:p|div|br|h[1-6]|ul|ol|li|strong|b|em|i|u|s|code|pre|blockquote|a|img|table|span|font|sub|sup)\b[^<>]*>/i

/** Whether a text contains a tag of HTML. */
export const hasHtml = (text: string): boolean => text.includes('<') && KNOWN_TAG.test(text)

/** @returns the text in Markdown, and whether some markup was dropped */
export function htmlToMarkdown(html: string): { text: string; isDropped: boolean } {
  if (!/[<&]/.test(html)) return { text: html, isDropped: false }
  const writer = createWriter()
  const parser = new Parser(writer.handlers, { decodeEntities: true, lowerCaseTags: true })
  // Tags that are nested too deep do not reach the parser, whose time for each grows with the depth.
  const { text, isCut } = cutDepth(html)
  parser.end(text)
  return { text: writer.finish(), isDropped: isCut }
}

const VOID = new Set(['br', 'img', 'hr', 'input', 'meta', 'link', 'col', 'area', 'base', 'embed', 'source', 'wbr'])

function cutDepth(html: string): { text: string; isCut: boolean } {
  let depth = 0
  let isCut = false
  const text = html.replaceAll(
    /<(\/?)([a-z][a-z0-9]*)(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/gi,
    (tag, slash: string, raw: string) => {
      if (VOID.has(raw.toLowerCase()) || tag.endsWith('/>')) return tag
      depth = Math.max(0, depth + (slash === '' ? 1 : -1))
      if (depth < MAX_DEPTH || (slash !== '' && depth < MAX_DEPTH)) return tag
      isCut = true
      return ' '
    },
  )
  return { text: isCut ? text : html, isCut }
}

/** Small pictures that are in the text itself stay there. */
const EMBEDDED = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]{1,30000}$/

const toPictureAddress = (source: string) =>
  source.startsWith('data:')
    ? EMBEDDED.test(source)
      ? source
      : 'embedded'
    : source.replaceAll(' ', '%20').replaceAll('(', '%28').replaceAll(')', '%29')

interface ListState {
  readonly isOrdered: boolean
  count: number
}

function createWriter() {
  let out: string[] = []
  let lineBreaks = 0
  let isStarted = false
  let needsSpace = false
  let dropped = 0
  let pre = 0
  let quote = 0
  const lists: ListState[] = []
  const links: (string | null)[] = []
  const tables: { writer: TableWriter; outer: { out: string[]; isStarted: boolean; lineBreaks: number } }[] = []

  const isInCell = () => tables.length > 0
  const prefix = () => `${'> '.repeat(quote)}${'    '.repeat(Math.max(0, lists.length - 1))}`
  const breakLine = (count: number) => {
    if (isStarted) lineBreaks = Math.max(lineBreaks, count)
    needsSpace = false
  }
  const flushBreaks = () => {
    if (lineBreaks > 0 && isStarted) {
      out.push(isInCell() ? ' / ' : lineBreaks > 1 ? `\n${'> '.repeat(quote).trimEnd()}\n` : '\n')
      if (!isInCell()) out.push(prefix() + (lists.length > 0 ? continuation() : ''))
    }
    lineBreaks = 0
  }
  let isItemStart = false
  const continuation = () => (isItemStart ? '' : '  ')
  const put = (text: string) => {
    if (text === '') return
    flushBreaks()
    if (needsSpace && isStarted) out.push(' ')
    needsSpace = false
    out.push(text)
    isStarted = true
  }
  const putText = (raw: string) => {
    if (pre > 0) return put(raw)
    const text = raw.replaceAll(/[\s\u00A0]+/g, ' ')
    if (text.trim() === '') {
      if (isStarted && lineBreaks === 0) needsSpace = true
      return
    }
    if (text.startsWith(' ') && lineBreaks === 0) needsSpace = true
    put(isInCell() ? text.trim().replaceAll('|', '\\|') : text.trim())
    isItemStart = false
    needsSpace = text.endsWith(' ')
  }
  const mark = (sign: string, isOpening: boolean) => {
    if (pre > 0) return
    if (isOpening) {
      put(sign)
      needsSpace = false
      return
    }
    // A mark without text, or behind a blank, is no mark in Markdown.
    const space = needsSpace
    needsSpace = false
    if (out.at(-1) === sign) {
      out.pop()
    } else {
      const breaks = lineBreaks
      lineBreaks = 0
      out.push(sign)
      lineBreaks = breaks
    }
    needsSpace = space
  }
  const startItem = () => {
    const list = lists.at(-1) ?? { isOrdered: false, count: 0 }
    list.count += 1
    breakLine(1)
    isItemStart = true
    put(isInCell() ? '- ' : list.isOrdered ? `${list.count}. ` : '- ')
    needsSpace = false
  }
  const startCell = () => {
    out = []
    isStarted = false
    lineBreaks = 0
    needsSpace = false
  }

  function open(name: string, attributes: Record<string, string>): void {
    if (dropped > 0 || DROPPED.has(name)) {
      if (!VOID.has(name)) dropped += 1
      return
    }
    const sign = MARKS.get(name)
    if (sign !== undefined) return mark(sign, true)
    if (name === 'br') return breakLine(lineBreaks > 0 ? 2 : 1)
    if (/^h[1-6]$/.test(name)) {
      breakLine(2)
      return put(isInCell() ? '**' : `${'#'.repeat(Number(name[1]))} `)
    }
    if (BLOCKS.has(name)) return breakLine(name === 'p' ? 2 : 1)
    if (name === 'ul' || name === 'ol') {
      breakLine(lists.length > 0 ? 1 : 2)
      lists.push({ isOrdered: name === 'ol', count: 0 })
    } else if (name === 'li') startItem()
    else if (name === 'pre') {
      breakLine(2)
      put('```\n')
      pre += 1
    } else if (name === 'code' && pre === 0) put('`')
    else if (name === 'blockquote') {
      breakLine(2)
      quote += 1
    } else if (name === 'hr') {
      breakLine(2)
      put('---')
      breakLine(2)
    } else if (name === 'a') {
      const address = /^(?:https?:|mailto:)/i.test((attributes['href'] ?? '').trim()) ? attributes['href'] : undefined
      links.push(address?.trim().replaceAll(' ', '%20').replaceAll(')', '%29') ?? null)
      if (links.at(-1) !== null) {
        put('[')
        needsSpace = false
      }
    } else if (name === 'img') {
      const source = (attributes['src'] ?? '').trim()
      const address = toPictureAddress(source)
      if (source !== '') put(`![${(attributes['alt'] ?? '').replaceAll(/[[\]\n]/g, ' ')}](${address})`)
    } else if (name === 'table') {
      breakLine(2)
      flushBreaks()
      tables.push({ writer: createTableWriter(), outer: { out, isStarted, lineBreaks } })
      startCell()
    } else if (name === 'tr') tables.at(-1)?.writer.startRow()
    else if ((name === 'td' || name === 'th') && isInCell()) startCell()
  }

  function close(name: string): void {
    if (dropped > 0) {
      if (!VOID.has(name)) dropped -= 1
      return
    }
    const sign = MARKS.get(name)
    if (sign !== undefined) return mark(sign, false)
    if (/^h[1-6]$/.test(name)) {
      if (isInCell()) put('**')
      breakLine(2)
    } else if (BLOCKS.has(name)) breakLine(name === 'p' ? 2 : 1)
    else if (name === 'ul' || name === 'ol') {
      lists.pop()
      breakLine(lists.length > 0 ? 1 : 2)
    } else if (name === 'pre' && pre > 0) {
      pre -= 1
      out.push('\n```')
      breakLine(2)
    } else if (name === 'code' && pre === 0) {
      needsSpace = false
      put('`')
    } else if (name === 'blockquote') {
      quote = Math.max(0, quote - 1)
      breakLine(2)
    } else if (name === 'a') {
      const address = links.pop()
      if (address !== null && address !== undefined) {
        const space = needsSpace
        needsSpace = false
        put(`](${address})`)
        needsSpace = space
      }
    } else if ((name === 'td' || name === 'th') && isInCell()) {
      tables.at(-1)?.writer.addCell(out.join('').trim())
      startCell()
    } else if (name === 'table') closeTable()
  }

  function closeTable(): void {
    const table = tables.pop()
    if (table === undefined) return
    const loose = out.join('').trim()
    const rows = table.writer.finish(isInCell())
    ;({ out, isStarted, lineBreaks } = table.outer)
    put([loose, rows].filter((text) => text !== '').join('\n'))
    breakLine(2)
  }

  return {
    handlers: {
      onopentag: open,
      ontext: (text: string) => {
        if (dropped === 0) putText(text)
      },
      onclosetag: close,
    },
    finish(): string {
      while (tables.length > 0) closeTable()
      return out
        .join('')
        .replaceAll(/[ \t]+$/gm, '')
        .trim()
    },
  }
}
