import { createBareAmpersandTracker } from './bare-ampersands.ts'
import { isCharacterReference } from './clean-text.ts'
import { JUnitError, type JUnitErrorCode, type Position, positionAfter } from './junit-error.ts'
import { DECLARATION_NOT_FIRST, malformedXmlError } from './malformed-xml.ts'
import { describeNonXml } from './other-formats.ts'
import { TolerantSaxes } from './tolerant-saxes.ts'
import { createCharacterJoiner, MAX_REFERENCE_LENGTH } from './character-joiner.ts'

/** Attributes by name, prefix and all; the object has no prototype. */
export type Attributes = Readonly<Record<string, string>>

/** What a document is made of. The parts of one text may come in several calls. */
export interface XmlHandlers {
  /** Says what is wrong with a root element, or null. Asked with its name as soon as that is read, then with its namespace. */
  rejectRoot(name: string, namespace?: string): string | null
  /** @param line where the tag begins. */
  open(name: string, attributes: Attributes, line: number): void
  close(): void
  /** @param isRaw whether it is from a CDATA section, in which `&#27;` is just text. */
  text(value: string, isRaw: boolean): void
}

/** What the handlers may know about the texts of the call that they are in. */
export interface TextState {
  /** There may be characters in them that XML forbids. */
  hasControls: boolean
  /** There are references to such characters in them, as written. */
  hasReferences: boolean
}

export interface XmlParser {
  /** @throws JUnitError */
  write(piece: string): void
  /** @throws JUnitError */
  end(): void
  /** How many UTF-16 units were read up to the event that is being handled. */
  offset(): number
  readonly state: Readonly<TextState>
}

/** As much of one text or tag may come without an end; saxes holds all of it. */
const LONGEST_TOKEN = 2 ** 26

/** Neither white space, nor a byte order mark, nor a control character. */
// oxlint-disable-next-line no-control-regex
const VISIBLE = /[^\s\ufeff\ufffe\uffff\0-\u001f]/

const LESS_THAN = 0x3c

/**
 * XML's events by saxes, put right for what real test reports hold: white space or a byte order mark before the
 * declaration, control characters and references to them, lone surrogates, and an `encoding` that is nonsense are let
 * through; everything else that is malformed is an error with its position. Entities cannot be declared, so none is ever
 * expanded, and nothing is ever fetched.
 */
export function createXmlParser(handlers: XmlHandlers): XmlParser {
  const saxes = new TolerantSaxes(tolerate)
  const joiner = createCharacterJoiner()
  const ampersands = createBareAmpersandTracker()
  const state: TextState = { hasControls: false, hasReferences: false }
  let depth = 0
  let sawRoot = false
  let sawStart = false
  let tagLine = 1
  /** What saxes is reading now, and how much it had read before. */
  let chunk = ''
  let readBefore = 0
  /** Where the last event ends: how far into the report, and on which line. */
  let eventEnd = 0
  let eventLine = 1
  /** Where the last piece of markup outside the root element, or the root, ends. */
  let markupEnd: Position = { line: 1, column: 0 }

  /** The character that saxes has just read. It counts columns from 0 and is one ahead, which makes the number right. */
  function here(): Position {
    return { line: saxes.line, column: Math.max(1, saxes.column) }
  }

  /** The reference whose `;` saxes has just read. The joiner sees to it that a sensible one stands in one chunk. */
  function referenceJustRead(): string {
    const end = saxes.position - readBefore
    const before = chunk.slice(Math.max(0, end - MAX_REFERENCE_LENGTH - 2), end)
    return before.slice(before.lastIndexOf('&'))
  }

  function refused(reason: string): JUnitError {
    const isUnfinished = reason === 'unexpected end.' || reason.startsWith('unclosed tag: ')
    const ampersand = isUnfinished || /\bentity\b/.test(reason) ? ampersands.find(eventEnd, saxes.position) : null
    if (ampersand !== null) return malformedXmlError('"&" must be written as "&amp;"', ampersand)
    if (isUnfinished) return malformedXmlError(`it breaks off; what was read whole ends on line ${eventLine}`, here())
    if (reason === 'undefined entity.') return malformedXmlError(`XML does not know "${referenceJustRead()}"`, here())
    if (reason === 'malformed character entity.')
      return malformedXmlError(`"${referenceJustRead()}" names no character`, here())
    return malformedXmlError(reason, here())
  }

  function tolerate(reason: string): void {
    if (reason === 'disallowed character.') {
      if (chunk.charCodeAt(saxes.position - readBefore - 1) === LESS_THAN) {
        throw malformedXmlError('"<" must be written as "&lt;" in an attribute', here())
      }
      state.hasControls = true
    } else if (reason === 'malformed character entity.' && isCharacterReference(referenceJustRead())) {
      state.hasControls = true
      state.hasReferences = true
    } else if (!isHarmless(reason, sawRoot)) {
      throw refused(reason)
    }
  }

  function sawEvent(): void {
    eventEnd = saxes.position
    eventLine = saxes.line
  }

  /** @param unread how much of the markup saxes has yet to read. */
  function sawMarkupOutside(unread: number): void {
    sawEvent()
    eventEnd += unread
    markupEnd = { line: saxes.line, column: saxes.column + unread }
  }

  function reject(code: JUnitErrorCode, problem: string | null, position = here()): void {
    if (problem !== null) throw new JUnitError(code, problem, position)
  }

  saxes.on('doctype', (doctype) => {
    if (/^\s*html\b/i.test(doctype)) reject('not_junit', handlers.rejectRoot('html'))
    if (/<!ENTITY/i.test(doctype)) {
      const problem = `The DOCTYPE that ends on line ${saxes.line} declares entities. They are never expanded here: remove it.`
      reject('declares_entities', problem)
    }
    sawMarkupOutside(0)
  })

  saxes.on('opentagstart', (tag) => {
    sawEvent()
    // saxes has already read the character after the name; when that is a line break, it counts the next line.
    tagLine = saxes.column === 0 ? saxes.line - 1 : saxes.line
    // Not only when the tag is complete: an HTML page seldom gets as far as a well-formed one.
    if (!sawRoot) reject('not_junit', handlers.rejectRoot(tag.name))
  })

  saxes.on('opentag', (tag) => {
    sawEvent()
    if (!sawRoot) {
      sawRoot = true
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
    if (depth === 0) sawMarkupOutside(0)
    else sawEvent()
    handlers.close()
  })

  function sawText(value: string, isRaw: boolean): void {
    // Of a text saxes tells when it has read the `<` after it.
    eventEnd = isRaw ? saxes.position : saxes.position - 1
    if (depth > 0) handlers.text(value, isRaw)
    else checkStrayText(value)
    state.hasControls = false
    state.hasReferences = false
  }
  saxes.on('text', (value) => sawText(value, false))
  saxes.on('cdata', (value) => sawText(value, true))
  // saxes tells of a comment before its last `>`.
  saxes.on('comment', () => sawMarkupOutside(1))
  saxes.on('processinginstruction', () => sawMarkupOutside(0))

  /** Outside the root element. saxes objects to any but white space there; but a NUL or a byte order mark does no harm. */
  function checkStrayText(value: string): void {
    const visible = VISIBLE.exec(value)
    if (visible === null) return
    const position = positionAfter(value.slice(0, visible.index), markupEnd)
    throw malformedXmlError(`there is text ${sawRoot ? 'after the end' : 'before the start'} of the report`, position)
  }

  /** What is not XML at all is told apart by its first visible character, so that chunks of any size do. */
  function checkStart(text: string): void {
    const visible = VISIBLE.exec(text)
    if (visible === null) return
    sawStart = true
    if (visible[0] === '<') return
    read(text.slice(0, visible.index))
    reject('not_xml', describeNonXml(visible[0]), { line: saxes.line, column: saxes.column + 1 })
  }

  function read(text: string): void {
    chunk = text
    ampersands.startPiece(text, { line: saxes.line, column: saxes.column })
    saxes.write(text)
    ampersands.endPiece(eventEnd)
    readBefore += text.length
  }

  function feed(text: string): void {
    if (!sawStart) checkStart(text)
    read(text)
    if (readBefore - eventEnd > LONGEST_TOKEN) {
      reject('too_long', `The report holds a single text of more than ${LONGEST_TOKEN / 2 ** 20} million characters.`)
    }
  }

  return {
    state,
    offset: () => saxes.position,
    write(piece) {
      const text = joiner.next(piece)
      if (text !== '') feed(text)
    },
    end() {
      const text = joiner.rest()
      if (text !== '') feed(text)
      if (!sawStart) reject('empty', 'The report is empty.')
      read('')
      saxes.close()
    },
  }
}

/** Text outside the root is judged when it is known; a wrong `encoding` in the declaration has done its harm by now. */
function isHarmless(reason: string, sawRoot: boolean): boolean {
  if (reason === DECLARATION_NOT_FIRST) return !sawRoot
  return reason === 'text data outside of root node.' || reason.startsWith('encoding value must match')
}
