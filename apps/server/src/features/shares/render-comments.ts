import { type Html, html } from '../../platform/pages/html.ts'
import type { ReportComments } from './read-comments.ts'
import type { CommentedRun } from './read-report.ts'
import { formatTime } from './report-words.ts'

/** What people have said, the newest last. */
export function renderComments({ comments, isCut }: ReportComments): Html | null {
  if (comments.length === 0) return null
  return html`<ul class="comments" aria-label="Comments">
    ${isCut ? html`<li class="hint">Earlier comments are not shown.</li>` : null}
    ${comments.map(
      ({ text, author, createdAt, isEdited }) =>
        html`<li>
          <p class="facts">
            ${author === null ? 'Comment' : html`<b>${author}</b>`} ·
            ${formatTime(createdAt)}${isEdited ? ' · edited' : ''}
          </p>
          <p class="said">${text}</p>
        </li>`,
    )}
  </ul>`
}

/** What people have said about the runs themselves. */
export function renderCommentedRuns(runs: readonly CommentedRun[], hasSeveralRuns: boolean): Html | null {
  if (runs.length === 0) return null
  return html`<section aria-labelledby="comments">
    <h2 id="comments">Comments</h2>
    ${runs.map(
      ({ name, comments }) =>
        html`${hasSeveralRuns ? html`<h3 class="run-name">${name}</h3>` : null} ${renderComments(comments)}`,
    )}
  </section>`
}
