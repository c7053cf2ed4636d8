import type { Problem } from '../../platform/http/problems.ts'
import { html } from '../../platform/pages/html.ts'
import type { ReportPageContent } from './report-page.ts'

const titles: Readonly<Record<number, string>> = {
  400: 'This address is not complete',
  403: 'Shared reports are turned off',
  404: 'There is nothing at this address',
  410: 'This report is no longer shared',
  422: 'This file cannot be made',
  429: 'Too many requests',
  503: 'Try again in a moment',
}

/** What a reader of a shared report sees instead of it. It leads nowhere: the reader has no account. */
export function renderReportError({ statusCode: status, message }: Problem, requestId: string): ReportPageContent {
  const title = titles[status] ?? 'Something went wrong'
  const body = html`<main class="error">
    <h1>${title}</h1>
    <p>${message}</p>
    ${status >= 500 ? html`<p class="hint">Request id: ${requestId}</p>` : null}
  </main>`
  return { title, body }
}
