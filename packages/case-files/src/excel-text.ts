/*
 * Texts in Excel files (ECMA-376, ST_Xstring): what XML cannot contain is written as `_x0001_`, and a text that looks like
 * that is escaped itself. Readers undo both.
 */

/** The longest text of a cell. Excel would call a file with a longer one damaged. */
export const MAX_EXCEL_CHARACTERS = 32_767

/** Control characters, and others that XML discourages and writers therefore remove. */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u0008\u000B\u000C\u000D\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFDD0-\uFDEF\uFFFD-\uFFFF]/g

/** Escapes a text for a cell. */
export const toExcelText = (text: string): string =>
  text
    .replaceAll(/_x[\dA-F]{4}_/gi, '_x005F$&')
    .replaceAll(UNSAFE, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
