interface Replacement {
  pattern: RegExp
  by: string | ((match: string) => string)
}

const MONTH = /(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}/.source
const WEEKDAY = /(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?/.source
const CLOCK = /\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[AaPp]\.?[Mm]\b\.?)?/.source
const ZONE = /(?: ?(?:Z|GMT|UTC))?(?: ?[+-]\d{2}:?\d{2})?(?: \([A-Za-z .]{2,40}\))?/.source

const UUID: Replacement = { pattern: /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, by: '<uuid>' }
const REFERENCE: Replacement = { pattern: /(?<=[\w\]>)])@(?=[a-f]{0,8}\d)[0-9a-f]{3,16}\b/gi, by: '@<ref>' }
const GENERATED: Replacement = { pattern: /\${2}[\w$]+(?:\/(?:<hex>|[\w.]+))?/g, by: '<gen>' }

/** Texts that differ from run to run, in the order in which they are replaced. */
const REPLACEMENTS: readonly Replacement[] = [
  { pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>()[\]{}]+/gi, by: '<url>' },
  UUID,
  // 2026-11-28T05:30:00.123Z, 2026-11-28 05:30, 2026/11/28
  { pattern: new RegExp(`\\b\\d{4}[-/]\\d{2}[-/]\\d{2}(?:[T ]${CLOCK}${ZONE})?`, 'g'), by: '<time>' },
  // 11/28/2026, 5:30 PM; 28.11.2026 05:30; not 8.4.12, a version
  {
    pattern: new RegExp(
      `\\b(?:\\d{1,2}/\\d{1,2}/(?:\\d{4}|\\d{2})|(?:0?[1-9]|[12]\\d|3[01])\\.(?:0?[1-9]|1[0-2])\\.(?:19|20)\\d{2})\\b(?:,? ${CLOCK}${ZONE})?`,
      'g',
    ),
    by: '<time>',
  },
  // Sat Nov 28 2026 05:30:00 GMT+0100 (…); Nov 28 05:30:00; 28 Nov 2026 05:30:00 GMT
  {
    pattern: new RegExp(
      `\\b${WEEKDAY}(?:${MONTH} +\\d{1,2}|\\d{1,2} ${MONTH})(?:,? \\d{4})?,? ${CLOCK}${ZONE}(?: \\d{4})?`,
      'g',
    ),
    by: '<time>',
  },
  { pattern: /\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?: ?[AaPp]\.?[Mm]\b)?/g, by: '<time>' },
  {
    pattern:
      /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b|\blocalhost(?::\d{1,5})\b|\[[0-9a-f:.]{2,45}\](?::\d{1,5})|::1\b(?::\d{1,5})?/gi,
    by: '<addr>',
  },
  REFERENCE,
  { pattern: /\b0x[0-9a-f]+\b|\b(?=\d{0,200}[a-f])[0-9a-f]{10,200}\b/gi, by: '<hex>' },
  GENERATED,
  // /srv/ci-81/src/cart.ts:41, C:\shop\cart.cs, src/shop/cart.ts, cart/add.ts
  {
    pattern:
      /(?<![\w<>])(?:~|\.{1,2}|[A-Za-z]:)?[/\\](?:[\w.@~+$%#-]+[/\\])*[\w.@~+$%#-]*\w(?::\d+){0,2}|(?<![\w<>/])(?:[\w.@~+-]+[/\\]){2,40}[\w.@~+-]*\w(?::\d+){0,2}|(?<![\w<>/])[\w@~+-]+[/\\][\w@~+-]+\.\w{1,5}\b(?::\d+){0,2}/g,
    by: '<path>',
  },
  {
    pattern: /\b\d+(?:[.,]\d+)*\s?(?:ms|msecs?|milliseconds?|µs|us|ns|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/g,
    by: '<dur>',
  },
  // Codes of HTTP tell failures apart.
  {
    pattern:
      /\b(?:status(?:[ _]?code)?|code|HTTP(?:\/\d(?:\.\d)?)?)["']?(?: was| is| of)?[\s:=]{0,3}[1-5]\d\d\b(?!\.\d)|(?<![\w.])-?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?|\d+/gi,
    by: (match) => (/^[shc]/i.test(match) ? match : '<n>'),
  },
]

/** Replaces what differs from run to run by what it is, such as `<time>`. */
export const replaceVolatile = (text: string): string => replaceAll(text, REPLACEMENTS)

/** What programs make up, and no test expects: with the addresses of objects in memory. */
const MADE_UP: readonly Replacement[] = [UUID, REFERENCE, { pattern: /\b0x[0-9a-f]{6,16}\b/gi, by: '<hex>' }, GENERATED]

/** Replaces only what programs make up. Numbers, times and hashes are values, which tests compare. */
export const replaceMadeUp = (text: string): string => replaceAll(text, MADE_UP)

function replaceAll(text: string, replacements: readonly Replacement[]): string {
  let replaced = text
  for (const { pattern, by } of replacements) {
    replaced = typeof by === 'string' ? replaced.replace(pattern, by) : replaced.replace(pattern, by)
  }
  return replaced
}

const MAX_QUOTED = 60
const QUOTED = /(["'`])((?:(?!\1)[^\n]){61,}?)\1/g

/** Cuts quoted texts. */
export const cutQuoted = (text: string): string =>
  text.replace(QUOTED, (_, quote: string, quoted: string) => `${quote}${quoted.slice(0, MAX_QUOTED)}${quote}`)

/** The placeholders that {@link replaceVolatile} puts in, and that of the test's name. */
export const PLACEHOLDERS = /<(?:url|uuid|time|addr|ref|hex|gen|path|dur|n|test)>/g
