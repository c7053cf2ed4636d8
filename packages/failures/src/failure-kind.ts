/** What kind a failure is of, and where it stands in the text. */
export interface FailureKind {
  /** `TypeError`, `NullPointerException`, `panic`; with a code of Node.js, `TypeError [ERR_INVALID_ARG_TYPE]`; '' without one. */
  kind: string
  /** Where the message begins, after the kind; 0 if the kind does not stand before it. */
  messageStart: number
}

/** Before the kind at the start of a line: the mark of pytest, that of an error that nobody caught, the thread of Rust. */
const BEFORE = /(?:E[ \t]+)?(?:(?:Uncaught|Unhandled)[ \t]+(?:\([^)\n]{1,20}\)[ \t]*)?)?(?:thread '[^'\n]{1,200}' )?/
  .source
/** The package of a class: `java.lang.`, `System.`, `PHPUnit\Framework\`, `RSpec::Expectations::`. */
const PACKAGE = /(?:[A-Za-z_$][\w$]{0,100}(?:\.|::|\\)){0,12}/.source
/** A name of its own is needed before `Failure` and `Failed`: tools write these words alone for any failure. */
const NAME = [
  /[\w$]{0,100}(?:Error|Exception)/.source,
  /[A-Za-z_$][\w$]{0,100}(?:Failure|Failed)/.source,
  /panic(?=:|ked at)/.source,
  // Not what was waited for: Timeout: 30 s
  /Timeout(?!:[ \t]*\d)\w{0,100}/.source,
  /SIG[A-Z]{2,10}/.source,
  // On the first line, any class with its package: com.codeborne.selenide.ex.ElementNotFound: …
  /(?<=^[\w$.:\\]{1,300}(?:\.|::|\\))(?<!\n[^\n]{0,300})[A-Z][\w$]{2,100}(?=: )/.source,
].join('|')
/** A sentence may begin with the bare words: only a colon, a bracket or the end of the line tells a kind from it. */
const AFTER = /(?:ked at|(?<!^[ \t]*(?:Error|Exception))(?=[ \t])|(?=[ \t]*(?:[:[]|$)))/.source
const KIND = new RegExp(`^[ \\t]*${BEFORE}${PACKAGE}(?<kind>${NAME})${AFTER}`, 'm')
const NODE_CODE = /^[ \t]*(\[ERR_[A-Z0-9_]{1,60}\])/
/** Where another error begins: the cause of the one before, or in Python the one that it led to. */
const OTHER_ERROR = /^[ \t]*(?:Caused by\b|Suppressed: |The above exception was|During handling of the above)/m

/** Returns the text up to another error. What caused an error is not followed. */
export function cutOtherErrors(text: string): string {
  const start = text.search(OTHER_ERROR)
  return start > 0 ? text.slice(0, start) : text
}

/**
 * Where a kind stands after the message: pytest ends with `test_cart.py:6: AssertionError`, Cucumber for Ruby has a line such as
 * `(RSpec::Expectations::ExpectationNotMetError)`.
 */
const KIND_AFTER =
  /^[ \t]*(?:[^\s:]{1,300}\.py:\d+: (?<pytest>\w{1,100})|\((?:\w{1,100}::){0,12}(?<ruby>\w{0,100}(?:Error|Exception))\))[ \t]*$/gm

/** Finds the first kind at the start of a line, else one after the message. */
export function findFailureKind(text: string): FailureKind {
  const match = KIND.exec(text)
  const kind = match?.groups?.['kind']
  if (match === null || kind === undefined) {
    const after = [...text.matchAll(KIND_AFTER)].at(-1)?.groups
    return { kind: after?.['pytest'] ?? after?.['ruby'] ?? '', messageStart: 0 }
  }
  const end = match.index + match[0].length
  const code = NODE_CODE.exec(text.slice(end, end + 80))
  return {
    kind: code === null ? kind : `${kind} ${code[1]}`,
    messageStart: end + (code?.[0].length ?? 0),
  }
}

/** Whether a failure says that a value is not the expected one: where that was found out is the test, or a function for tests. */
export const isAssertion = (kind: string, message: string): boolean =>
  /assert|comparison|expect/i.test(kind) ||
  /^(?:Failure\/Error: |\W{0,3})(?:expect|assert)|\bFailed asserting that\b|^Timed out \S{1,20} waiting for expect\(/i.test(
    message,
  )
