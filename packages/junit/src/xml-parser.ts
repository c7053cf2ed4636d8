import { createBareAmpersandTracker } from './bare-ampersands.ts'
import { isCharacterReference, MAX_REFERENCE_LENGTH } from './clean-text.ts'
import { getPositionAfter, JUnitError, type JUnitErrorCode, type Position } from './junit-error.ts'
import { DECLARATION_NOT_FIRST, malformedXmlError } from './malformed-xml.ts'
import { createStartFinder, type NonXml, VISIBLE } from './leading-text.ts'
import { describeNonXml } from './other-formats.ts'
import { TolerantSaxes } from './tolerant-saxes.ts'
import { createCharacterJoiner } from './character-joiner.ts'

/** Attributes by name, with its prefix. The object has no prototype. */
export type Attributes = Readonly<Record<string, string>>

/** Receives the events of a document. A text may arrive in several calls. */
export interface XmlHandlers {
  /**
   * Returns an error message when the root element is not supported, or null. Called as soon as the name is read, and
   * again with the namespace.
   */
  rejectRoot(name: string, namespace?: string): string | null
  /** @param line the line on which the tag starts */
  open(name: string, attributes: Attributes, line: number): void
  close(): void
  /** @param isRaw whether the text is from a CDATA section, in which `&#27;` is plain text */
  text(value: string, isRaw: boolean): void
  comment(value: string): void
}

/** Describes the texts that a handler is being called with. */
export interface TextState {
  /** They may contain characters that XML does not allow. */
  hasControls: boolean
  /** They contain references to such characters, not yet decoded. */
  hasReferences: boolean
}

export interface XmlParser {
  /** @throws JUnitError */
  write(piece: string): void
  /** @throws JUnitError */
  end(): void
  /** Number of UTF-16 units read up to the current event. */
  offset(): number
  /** The beginning of the text before the XML; '' if there is none. */
  skippedText(): string
  readonly state: Readonly<TextState>
}

/** Limit for a single text or tag, because saxes holds it in memory until its end. */
const MAX_TOKEN_LENGTH = 2 ** 26

/**
 * Limit for nested elements, because saxes keeps every open tag in memory. Real reports have fewer than ten, and an
 * HTML page in a failure adds a few dozen.
 */
const MAX_DEPTH = 100

/** Limit for the attributes of a tag, because saxes collects all of them. Real tags have about ten. */
const MAX_ATTRIBUTES = 1000

/** Text of this length is joined, so that the parts of a text never take more memory than this. */
const JOINED_LENGTH = 2 ** 18

const LESS_THAN = 0x3c

/**
 * Creates an XML parser on top of saxes that tolerates what real test reports contain: white space or a byte order mark
 * before the declaration, control characters and references to them, lone surrogates, and a wrong `encoding`. All other
 * malformed XML is an error with a position. Entity declarations are rejected, so no entity is ever expanded and
 * nothing is ever fetched.
 */
export function createXmlParser(handlers: XmlHandlers): XmlParser {
  const saxes = new TolerantSaxes(handleParserError)
  const joiner = createCharacterJoiner()
  const ampersands = createBareAmpersandTracker()
  const start = createStartFinder()
  const state: TextState = { hasControls: false, hasReferences: false }
  let depth = 0
  let hasRoot = false
  let tagLine = 1
  let attributeCount = 0
  /** The text that saxes is reading, and the length of all text before it. */
  let chunk = ''
  let chunkStart = 0
  /** How far the text that saxes is reading has been joined. */
  let joinedEnd = 0
  /** End of the last event: offset in the report, and line. */
  let eventEnd = 0
  let eventLine = 1
  /** End of the last markup outside of the root element, or of the root element. */
  let markupEnd: Position = { line: 1, column: 0 }

  /** Position of the character just read. saxes counts columns from 0, but is one character ahead. */
  function getPosition(): Position {
    return { line: saxes.line, column: Math.max(1, saxes.column) }
  }

  /** The reference that ends at the current position. The joiner never splits a valid one across chunks. */
  function getLastReference(): string {
    const end = saxes.position - chunkStart
    const before = chunk.slice(Math.max(0, end - MAX_REFERENCE_LENGTH - 2), end)
    return before.slice(before.lastIndexOf('&'))
  }

  function toJUnitError(reason: string): JUnitError {
    const isIncomplete = reason === 'unexpected end.' || reason.startsWith('unclosed tag: ')
    const ampersand = isIncomplete || /\bentity\b/.test(reason) ? ampersands.find(eventEnd, saxes.position) : null
    if (ampersand !== null) return malformedXmlError('"&" must be written as "&amp;"', ampersand)
    const position = getPosition()
    if (isIncomplete) {
      return malformedXmlError(`the report is truncated; its last complete part ends on line ${eventLine}`, position)
    }
    if (reason === 'undefined entity.')
      return malformedXmlError(`XML does not define "${getLastReference()}"`, position)
    if (reason === 'malformed character entity.')
      return malformedXmlError(`"${getLastReference()}" is not a valid character`, position)
    return malformedXmlError(reason, position)
  }

  function handleParserError(reason: string): void {
    if (reason === 'disallowed character.') {
      if (chunk.charCodeAt(saxes.position - chunkStart - 1) === LESS_THAN) {
        throw malformedXmlError('"<" must be written as "&lt;" in an attribute', getPosition())
      }
      state.hasControls = true
    } else if (reason === 'malformed character entity.' && isCharacterReference(getLastReference())) {
      state.hasControls = true
      state.hasReferences = true
    } else if (!isHarmless(reason, hasRoot)) {
      throw toJUnitError(reason)
    }
  }

  function recordEventEnd(): void {
    eventEnd = saxes.position
    eventLine = saxes.line
  }

  /** @param unread length of the part of the markup that saxes has not read yet */
  function recordMarkupEnd(unread: number): void {
    recordEventEnd()
    eventEnd += unread
    markupEnd = { line: saxes.line, column: saxes.column + unread }
  }

  function reject(code: JUnitErrorCode, message: string | null, position = getPosition()): void {
    if (message !== null) throw new JUnitError(code, message, position)
  }

  saxes.on('doctype', (doctype) => {
    if (/^\s*html\b/i.test(doctype)) reject('not_junit', handlers.rejectRoot('html'))
    if (/<!ENTITY/i.test(doctype)) {
      const message = `The DOCTYPE that ends on line ${saxes.line} declares entities, which are not supported: remove it.`
      reject('declares_entities', message)
    }
    recordMarkupEnd(0)
  })

  saxes.on('opentagstart', (tag) => {
    recordEventEnd()
    // saxes has already read the character after the name. If that is a line break, it is on the next line.
    tagLine = saxes.column === 0 ? saxes.line - 1 : saxes.line
    // Checked before the tag is complete, because the tags of an HTML page are often malformed.
    if (!hasRoot) reject('not_junit', handlers.rejectRoot(tag.name))
    attributeCount = 0
    if (depth === MAX_DEPTH) {
      const message = `The element on line ${tagLine} is nested more than ${MAX_DEPTH} deep. Write the report with fewer nested suites.`
      reject('too_deep', message, { line: tagLine, column: getPosition().column })
    }
  })

  saxes.on('attribute', () => {
    attributeCount++
    if (attributeCount > MAX_ATTRIBUTES)
      reject('too_long', `The tag on line ${tagLine} has more than ${MAX_ATTRIBUTES} attributes.`)
  })

  saxes.on('opentag', (tag) => {
    recordEventEnd()
    if (!hasRoot) {
      hasRoot = true
      const colon = tag.name.indexOf(':')
      const declaration = colon === -1 ? 'xmlns' : `xmlns:${tag.name.slice(0, colon)}`
      reject('not_junit', handlers.rejectRoot(tag.name, tag.attributes[declaration]))
    }
    depth++
    handlers.open(tag.name, tag.attributes, tagLine)
    state.hasControls = false
    state.hasReferences = false
  })

  saxes.on('closetag', () => {
    depth--
    if (depth === 0) recordMarkupEnd(0)
    else recordEventEnd()
    handlers.close()
  })

  function handleText(value: string, isRaw: boolean): void {
    // saxes emits a text after reading the `<` that follows it.
    eventEnd = isRaw ? saxes.position : saxes.position - 1
    if (depth > 0) handlers.text(value, isRaw)
    else checkStrayText(value)
    state.hasControls = false
    state.hasReferences = false
  }
  saxes.on('text', (value) => handleText(value, false))
  saxes.on('cdata', (value) => handleText(value, true))
  // saxes emits a comment before reading its last `>`.
  saxes.on('comment', (value) => {
    recordMarkupEnd(1)
    handlers.comment(value)
  })
  saxes.on('processinginstruction', () => recordMarkupEnd(0))

  /** Rejects visible text outside of the root element. NUL and byte order marks are tolerated there. */
  function checkStrayText(value: string): void {
    const visible = VISIBLE.exec(value)
    if (visible === null) return
    const position = getPositionAfter(value.slice(0, visible.index), markupEnd)
    throw malformedXmlError(`there is text ${hasRoot ? 'after the end' : 'before the start'} of the report`, position)
  }

  /** Rejects input that is not XML, at its first visible character. */
  function rejectNonXml({ blank, character }: NonXml): void {
    read(blank)
    reject('not_xml', describeNonXml(character), { line: saxes.line, column: saxes.column + 1 })
  }

  function read(text: string): void {
    chunk = text
    ampersands.startPiece(text, { line: saxes.line, column: saxes.column })
    saxes.write(text)
    ampersands.endPiece(eventEnd)
    chunkStart += text.length
  }

  function feed(piece: string): void {
    const text = start.hasFound() ? piece : start.find(piece)
    if (typeof text !== 'string') return rejectNonXml(text)
    if (text === '') return
    read(text)
    if (chunkStart - joinedEnd > JOINED_LENGTH) {
      saxes.joinText()
      joinedEnd = chunkStart
    }
    if (chunkStart - eventEnd > MAX_TOKEN_LENGTH) {
      const limit = `${MAX_TOKEN_LENGTH / 2 ** 20} million characters`
      reject('too_long', `The report contains a text or tag of more than ${limit}.`)
    }
  }

  return {
    state,
    offset: () => saxes.position,
    skippedText: start.getSkippedText,
    write(piece) {
      const text = joiner.next(piece)
      if (text !== '') feed(text)
    },
    end() {
      const text = joiner.flush()
      if (text !== '') feed(text)
      const rest = start.end()
      if (rest !== null) rejectNonXml(rest)
      if (!start.hasFound()) reject('empty', 'The report is empty.')
      read('')
      saxes.close()
    },
  }
}

/**
 * Text outside of the root is checked in `checkStrayText`. A wrong `encoding` does not matter, as the text is decoded.
 */
function isHarmless(reason: string, hasRoot: boolean): boolean {
  if (reason === DECLARATION_NOT_FIRST) return !hasRoot
  return reason === 'text data outside of root node.' || reason.startsWith('encoding value must match')
}
