import { stripVTControlCharacters } from 'node:util'

/** What a framework says of a failed attempt. */
export interface FailureText {
  /** '' for none. */
  readonly message: string
  /** Stack trace, difference, output; '' for none. May begin with the message. */
  readonly details: string
}

/** What is read of a failure: kind, message and the frames that matter stand at its beginning. */
const MAX_TEXT = 8192
/** Control sequences for colors are removed before the text is cut. */
const MAX_RAW_TEXT = 2 * MAX_TEXT

/** Returns the details if they contain the message, else both, without colors and with `\n` at the end of lines. */
export function joinFailureText({ message, details }: FailureText): string {
  const [cleanMessage, cleanDetails] = [cleanText(message), cleanText(details)]
  // Attributes of XML have spaces where the text has line ends.
  const isContained = collapseSpace(cleanDetails).includes(collapseSpace(cleanMessage).trim())
  const text = isContained ? cleanDetails : `${cleanMessage}\n${cleanDetails}`
  return text.slice(0, MAX_TEXT)
}

const cleanText = (text: string): string =>
  stripVTControlCharacters(text.slice(0, MAX_RAW_TEXT)).replace(/\r\n?/g, '\n')

const collapseSpace = (text: string): string => text.replace(/\s+/g, ' ')
