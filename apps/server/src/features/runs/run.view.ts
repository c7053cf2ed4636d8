import type { ResultStatus } from '@caseward/contract/results'
import type { Run } from '@caseward/contract/runs'

import type { NotPassedResult } from '../results/not-passed.queries.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { renderDateTime } from '../../platform/pages/format-time.ts'

interface RunPage {
  run: Run
  project: { name: string }
  notPassed: NotPassedResult[]
}

export function renderRun({ run, project, notPassed }: RunPage): Html {
  return html`<p class="lead subtitle">
      <strong>${project.name}</strong> <span>${run.status === 'completed' ? 'Completed' : 'In progress'}</span>
    </p>
    ${renderOutcome(run)} ${renderNotPassed(run, notPassed)} ${renderDetails(run)}`
}

const STATUS_LABELS: Record<ResultStatus, string> = {
  passed: 'passed',
  failed: 'failed',
  blocked: 'blocked',
  retest: 'to retest',
  not_tested: 'not tested',
}
const STATUSES = Object.keys(STATUS_LABELS) as ResultStatus[]

/** The tone is good only when every test case has passed and every shard has reported. */
function summarizeRun({ stats, result_count: count, expected_shards: expected, shards_done: done }: Run) {
  const missing = expected === null ? 0 : Math.max(0, expected - done.length)
  if (stats.failed > 0) return { tone: 'bad', text: `${stats.failed} of ${count} failed` }
  if (stats.blocked + stats.retest > 0) {
    return { tone: 'open', text: `None failed; ${stats.blocked + stats.retest} of ${count} blocked or to retest` }
  }
  if (count === 0) return { tone: 'open', text: 'No test cases' }
  if (stats.not_tested > 0) return { tone: 'open', text: `${stats.not_tested} of ${count} not tested` }
  if (missing > 0) return { tone: 'open', text: `All passed so far; waiting for ${missing} of ${expected} shards` }
  return { tone: 'good', text: `All ${count} passed` }
}

function renderOutcome(run: Run): Html {
  const { stats, result_count: count, pass_rate: rate } = run
  const { tone, text } = summarizeRun(run)
  const tested = count - stats.not_tested
  return html`<section aria-labelledby="outcome">
    <h2 id="outcome">Outcome</h2>
    <p class="verdict ${tone}">${text}</p>
    ${count === 0 ? null : renderBar(run)}
    <ul class="counts">
      ${STATUSES.map((status) => html`<li><span class="dot ${status}"></span><strong>${stats[status]}</strong> ${STATUS_LABELS[status]}</li>`)}
    </ul>
    <p class="hint">${tested === 0 ? 'No results yet.' : `Pass rate ${rate}% of ${tested} tested.`}</p>
  </section>`
}

/** An SVG, since the content security policy forbids inline styles. Screen readers read the counts instead. */
function renderBar({ stats, result_count: count }: Run): Html {
  let end = 0
  const segments = STATUSES.map((status) => {
    const start = end
    end += stats[status]
    return html`<rect class="${status}" x="${start}" width="${stats[status]}" height="1" />`
  })
  return html`<svg class="bar" viewBox="0 0 ${count} 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    ${segments}
  </svg>`
}

function renderNotPassed({ stats, result_count: count }: Run, notPassed: NotPassedResult[]): Html | null {
  const more = count - stats.passed - notPassed.length
  if (notPassed.length === 0) return null
  return html`<section aria-labelledby="not-passed">
    <h2 id="not-passed">Not passed</h2>
    <ul class="items">
      ${notPassed.map(renderResult)}
    </ul>
    ${more > 0 ? html`<p class="hint more">And ${more} more.</p>` : null}
  </section>`
}

function renderResult({ title, testCaseId, status, note }: NotPassedResult): Html {
  const tone = status === 'failed' ? ' bad' : ''
  return html`<li>
    <div>
      <strong>${title}</strong> <span class="badge${tone}">${STATUS_LABELS[status]}</span>
      <span class="hint">${testCaseId ?? 'This test case was deleted.'}</span>
      ${note === null || note.trim() === '' ? null : html`<p class="note">${getFirstLines(note)}</p>`}
    </div>
  </li>`
}

const MAX_LINES = 4
const MAX_CHARACTERS = 400

function getFirstLines(note: string): string {
  const text = note.trim()
  const lines = text.split(/\r\n|\r|\n/)
  const first = Array.from(lines.slice(0, MAX_LINES).join('\n'))
  const isCut = lines.length > MAX_LINES || first.length > MAX_CHARACTERS
  return isCut ? `${first.slice(0, MAX_CHARACTERS).join('')} …` : text
}

const METADATA_LABELS = new Map([
  ['branch', 'Branch'],
  ['commit', 'Commit'],
  ['ci_url', 'CI build'],
])

function renderDetails(run: Run): Html {
  const { created_at, completed_at, run_key, metadata } = run
  const shards = formatShards(run)
  return html`<section aria-labelledby="details">
    <h2 id="details">Details</h2>
    <dl class="details">
      ${renderDetail('Created', renderDateTime(new Date(created_at)))}
      ${completed_at === null ? null : renderDetail('Completed', renderDateTime(new Date(completed_at)))}
      ${shards === null ? null : renderDetail('Shards', shards)}
      ${run_key === null ? null : renderDetail('Run key', run_key)}
      ${Object.entries(metadata).map(([name, value]) => renderDetail(METADATA_LABELS.get(name) ?? name, linkifyUrl(value)))}
    </dl>
  </section>`
}

const renderDetail = (name: string, value: Html | string): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`

const MAX_SHARD_NAMES = 50

/** The number and names of shards that have reported; null for a run without shards. */
function formatShards({ expected_shards: expected, shards_done: done }: Run): string | null {
  if (expected === null && done.length === 0) return null
  const count = expected === null ? `${done.length} reported` : `${done.length} of ${expected} reported`
  if (done.length === 0) return count
  const more = done.length > MAX_SHARD_NAMES ? ` and ${done.length - MAX_SHARD_NAMES} more` : ''
  return `${count}: ${done.slice(0, MAX_SHARD_NAMES).join(', ')}${more}`
}

/** Renders a web address as a link, and any other text as text. */
function linkifyUrl(text: string): Html {
  const isAddress = /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
  return isAddress ? html`<a href="${text}" rel="noopener noreferrer nofollow">${text}</a>` : html`${text}`
}
