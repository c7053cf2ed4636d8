/** The content of a mail: paragraphs of plain text and one link. */
export interface MailContent {
  heading: string
  paragraphs: readonly string[]
  button: { label: string; url: string }
  /** Why the user got the mail, and what to do if it is unexpected. */
  footer: string
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char)

/**
 * Converts text of users to one line: without control characters, and cut to a maximum length. It is cut between whole
 * characters: an emoji or a letter with accents can consist of several code points.
 */
export function toSingleLine(text: string, maxLength = 120): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim()
  if (countCodePoints(line) <= maxLength) return line
  let start = ''
  for (const { segment } of new Intl.Segmenter('en').segment(line)) {
    if (countCodePoints(start + segment) >= maxLength) break
    start += segment
  }
  return `${start}…`
}

const countCodePoints = (text: string) => Array.from(text).length

const MAX_QUOTE_LENGTH = 60

/**
 * Quotes a name that users chose, for the subject of a mail, so that nobody takes it for a sentence of ours. Quotation marks
 * in the name are replaced, because they would end the quote.
 */
export function quoteName(name: string): string {
  return `"${toSingleLine(name, MAX_QUOTE_LENGTH).replaceAll(/["“”„‟«»]/g, "'")}"`
}

export function renderTextMail({ heading, paragraphs, button, footer }: MailContent): string {
  return `${[heading, ...paragraphs, `${button.label}:\n${button.url}`, `-- \n${footer}`].join('\n\n')}\n`
}

// The name of a project may be one long word. Mail programs support one or the other of these.
const breakLongWords = 'overflow-wrap:anywhere;word-break:break-word;'

/** Uses tables and inline styles, because mail programs support little else, and no images. */
export function renderHtmlMail({ heading, paragraphs, button, footer }: MailContent): string {
  const url = escapeHtml(button.url)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(heading)}</title>
</head>
<body style="margin:0;padding:0;background:#f3f4f6;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="table-layout:fixed;background:#f3f4f6;">
<tr><td align="center" style="padding:32px 16px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="table-layout:fixed;max-width:560px;background:#ffffff;border:1px solid #e5e7eb;border-radius:8px;">
<tr><td style="padding:32px;${breakLongWords}font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:16px;line-height:1.5;color:#1f2937;">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3;color:#111827;">${escapeHtml(heading)}</h1>
${paragraphs.map((paragraph) => `<p style="margin:0 0 16px;">${escapeHtml(paragraph)}</p>`).join('\n')}
<p style="margin:24px 0;"><a href="${url}" style="display:inline-block;padding:12px 24px;background:#1d4ed8;color:#ffffff;text-decoration:none;border-radius:6px;font-weight:600;">${escapeHtml(button.label)}</a></p>
<p style="margin:0;font-size:14px;color:#4b5563;">If the button does not work, open this address:<br><a href="${url}" style="color:#1d4ed8;word-break:break-all;">${url}</a></p>
</td></tr>
<tr><td style="padding:16px 32px;border-top:1px solid #e5e7eb;${breakLongWords}font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:13px;line-height:1.5;color:#4b5563;">${escapeHtml(footer)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}
