import { formatShare } from '@caseward/matching/format-amounts'
import { RESULT_STATUSES, type ResultStatus } from '@caseward/contract/results'
import type { StatusCounts } from '@caseward/contract/run-schemas'

import { type Html, html } from '../../platform/pages/html.ts'
import { statusNames } from '../exports/export-columns.ts'
import { countResults } from './report-runs.queries.ts'
import { countTested, describeCounts } from './report-words.ts'

/** What is drawn into the square of a status, 14 × 14, as in the app. */
const marks: Readonly<Record<ResultStatus, string>> = {
  passed: 'm4 7.2 2.1 2.1L10 5.2',
  failed: 'm4.6 4.6 4.8 4.8m0-4.8L4.6 9.4',
  blocked: 'M3.8 7h6.4',
  retest: 'M9.7 5.5A3.1 3.1 0 1 0 10.1 7.3M10 3.5v2.2H7.8',
  not_tested: '',
}

const renderGlyph = (status: ResultStatus): Html =>
  status === 'not_tested'
    ? html`<svg class="glyph" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        <rect class="frame" x="1.75" y="1.75" width="10.5" height="10.5" rx="3" />
      </svg>`
    : html`<svg class="glyph" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        <rect class="square" x="1" y="1" width="12" height="12" rx="3" />
        <path class="mark" d="${marks[status]}" />
      </svg>`

/** The glyph and the name of a status: never its color alone. */
export const renderStatus = (status: ResultStatus): Html =>
  html`<span class="status ${status}">${renderGlyph(status)}${statusNames[status]}</span>`

/** Divides a length among the statuses that have results. */
function divide(counts: StatusCounts, length: number) {
  const total = countResults(counts)
  let start = 0
  return RESULT_STATUSES.filter((status) => counts[status] > 0).map((status) => {
    const part = { status, start, length: (length * counts[status]) / total }
    start += part.length
    return part
  })
}

const RADIUS = 40
const CIRCUMFERENCE = 2 * Math.PI * RADIUS
const round = (length: number) => length.toFixed(2)

/** The share of each status as a ring, with the share of what is tested in its middle. */
export function renderDonut(counts: StatusCounts): Html {
  const tested = formatShare(countTested(counts), countResults(counts))
  const arcs = divide(counts, CIRCUMFERENCE).filter(({ status }) => status !== 'not_tested')
  return html`<svg
    class="donut"
    viewBox="0 0 96 96"
    role="img"
    aria-label="${tested} tested: ${describeCounts(counts)}"
  >
    <circle class="track" cx="48" cy="48" r="${RADIUS}" />
    ${arcs.map(
      ({ status, start, length }) =>
        html`<circle
          class="arc ${status}"
          cx="48"
          cy="48"
          r="${RADIUS}"
          stroke-dasharray="${round(Math.max(length - 1, 0.5))} ${round(CIRCUMFERENCE)}"
          stroke-dashoffset="${round(-start)}"
          transform="rotate(-90 48 48)"
        />`,
    )}
    <text x="48" y="46" text-anchor="middle" dominant-baseline="central">${tested}</text>
    <text class="caption" x="48" y="62" text-anchor="middle" dominant-baseline="central">tested</text>
  </svg>`
}

/** The statuses of a run as a bar. The counts stand beside it in words. */
export const renderBar = (counts: StatusCounts): Html =>
  html`<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    ${divide(counts, 100).map(
      ({ status, start, length }) =>
        html`<rect class="${status}" x="${round(start)}" y="0" width="${round(length)}" height="6" />`,
    )}
  </svg>`
