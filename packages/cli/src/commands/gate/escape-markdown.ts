import { toSingleLine } from '@caseward/ci-run/plain-text'

/** An invisible joiner: GitHub and GitLab make links of what is text after Markdown, too. */
const JOINER = '\u200D'

/** Entities are never markup. What stays as it is has no meaning within a line. */
const MARKUP = /[^\p{L}\p{M}\p{N}\u0080-\u{10FFFF} ,;:/?.'"()=+-]/gu

/**
 * Formats the text of a test as a part of a line of Markdown that shows it as it is: no HTML, mention, link, image, emphasis,
 * code or table cell comes from it.
 * @param maxLength number of characters after which it is cut
 */
export const escapeMarkdown = (text: string, maxLength: number): string =>
  toSingleLine(text, maxLength)
    // @all, #1, !2, $3, ~label, %milestone, ^alert, &epic, :emoji:, https://
    .replaceAll(/[@#!$~%^&:](?=\S)/g, `$&${JOINER}`)
    .replaceAll(/www(?=\.)|\b(?:GH|GL)(?=-\d)/gi, `$&${JOINER}`)
    // A commit would be a link.
    .replaceAll(/\b[\da-f]{7,}\b/gi, (commit) => commit.replaceAll(/.{6}(?=.)/g, `$&${JOINER}`))
    .replaceAll(MARKUP, (character) => `&#${character.codePointAt(0)};`)
