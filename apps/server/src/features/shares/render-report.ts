import { formatNumberOf, formatShare, formatWholeNumber } from '@caseward/matching/format-amounts'
import { isWebAddress } from '@caseward/matching/web-address'
import { RESULT_STATUSES } from '@caseward/contract/results'

import { type Html, html } from '../../platform/pages/html.ts'
import type { ReportPageContent } from './report-page.ts'
import { MAX_RESULTS, type Report, RESULTS_PER_PAGE } from './read-report.ts'
import { renderCommentedRuns } from './render-comments.ts'
import { renderBar, renderDonut, renderStatus } from './render-status.ts'
import { type RenderContext, renderProblem, renderResults } from './render-results.ts'
import type { ReportRun } from './report-runs.queries.ts'
import {
  countTested,
  describeCounts,
  describeReadiness,
  describeResults,
  describeUncovered,
  formatDay,
  formatTime,
} from './report-words.ts'

/** Renders a page of a report. @param secret of its address */
export function renderReport(report: Report, secret: string): ReportPageContent {
  const { share, name, page, problems, problemCount, results, total } = report
  const path = `/shared/${secret}`
  const context: RenderContext = {
    path,
    runNames: report.runs.length > 1 ? new Map(report.runs.map((run) => [run.id, run.name])) : null,
    showsPeople: share.include.has('people'),
  }
  const isFirst = page.number === 1
  const body = html`<a class="skip" href="#results">Skip to the results</a>
    ${renderHead(report)}
    <main>
      ${isFirst ? renderSummary(report) : null} ${isFirst && report.runs.length > 1 ? renderRuns(report) : null}
      ${renderCommentedRuns(report.commentedRuns, report.runs.length > 1)}
      ${
        problems.length === 0
          ? null
          : html`<section aria-labelledby="attention">
              <h2 id="attention">Needs attention <span class="count">${formatWholeNumber(problemCount)}</span></h2>
              ${problems.map((result) => renderProblem(result, context))}
              ${
                problemCount > problems.length
                  ? html`<p class="hint">
                      ${formatWholeNumber(problemCount - problems.length)} more are in the list below, without details.
                    </p>`
                  : null
              }
            </section>`
      }
      <section aria-labelledby="results">
        <h2 id="results">All results <span class="count">${formatWholeNumber(total)}</span></h2>
        ${results.length === 0 ? html`<p class="hint">There are no results yet.</p>` : renderResults(results, context)}
        ${renderPages(report, path)}
      </section>
    </main>
    ${renderFoot(report, path)}`
  return { title: `${share.name} · ${name}`, body }
}

function renderHead({ share, name, run, milestone, asOf }: Report): Html {
  const kind = run === null ? 'Milestone' : 'Test run'
  return html`<header class="head">
    <p class="eyebrow">${kind} report · ${share.project.name}</p>
    <h1>${share.name}</h1>
    <p class="lead">
      ${name === share.name ? null : html`<strong>${name}</strong> · `}${describeState(run, milestone?.status ?? '')} ·
      <span class="as-of">As of <time datetime="${asOf.toISOString()}">${formatTime(asOf)}</time></span>
    </p>
  </header>`
}

const milestoneStates: Readonly<Record<string, string>> = {
  active: 'Active',
  completed: 'Completed',
  archived: 'Archived',
}

const describeState = (run: ReportRun | null, status: string): string =>
  run === null ? (milestoneStates[status] ?? status) : run.status === 'completed' ? 'Completed' : 'In progress'

function renderSummary(report: Report): Html {
  const { counts, milestone, runs, description } = report
  return html`<section class="summary" aria-label="Summary">
    ${renderDonut(counts)}
    <div class="summary-text">
      <p class="sentence">${milestone === null ? describeResults(counts) : describeReadiness(milestone)}</p>
      <ul class="counts" aria-label="Results by status">
        ${RESULT_STATUSES.filter((status) => counts[status] > 0).map(
          (status) => html`<li>${renderStatus(status)} <b>${formatWholeNumber(counts[status])}</b></li>`,
        )}
      </ul>
      ${describeUncovered(runs.map(({ tests }) => tests)).map((sentence) => html`<p class="warning">${sentence}</p>`)}
      ${description.trim() === '' ? null : html`<p class="description">${description}</p>`} ${renderFacts(report)}
    </div>
  </section>`
}

/** Anyone with a CI token can send any metadata: only what is known is shown, and only web pages are links. */
const buildFacts = [
  ['branch', 'Branch'],
  ['commit', 'Commit'],
  ['ci_url', 'Build'],
] as const

function renderFacts({ run, milestone }: Report): Html {
  const facts: (readonly [label: string, value: Html | string])[] = []
  if (run !== null) {
    facts.push(['Created', formatTime(run.createdAt)])
    if (run.completedAt !== null) facts.push(['Completed', formatTime(run.completedAt)])
    for (const [field, label] of buildFacts) {
      const value = run.metadata[field] ?? ''
      if (value !== '') facts.push([label, renderBuildFact(value)])
    }
  }
  if (milestone !== null) {
    if (milestone.startDate !== null) facts.push(['Start', formatDay(milestone.startDate)])
    if (milestone.dueDate !== null) facts.push(['Due', formatDay(milestone.dueDate)])
  }
  return html`<dl class="build">
    ${facts.map(
      ([label, value]) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}

const renderBuildFact = (value: string): Html | string => {
  if (isWebAddress(value)) return html`<a href="${value}" rel="noreferrer noopener nofollow">${new URL(value).host}</a>`
  return /^[0-9a-f]{12,64}$/i.test(value) ? value.slice(0, 7) : value
}

const MAX_RUNS = 100

function renderRuns({ runs, run }: Report): Html {
  const shown = runs.slice(-MAX_RUNS)
  return html`<section aria-labelledby="runs">
    <h2 id="runs">
      ${run === null ? 'Runs' : 'Run and reruns'} <span class="count">${formatWholeNumber(runs.length)}</span>
    </h2>
    ${run === null ? null : html`<p class="hint">Each test case counts once, with its newest result.</p>`}
    <table class="runs">
      <thead>
        <tr>
          <th scope="col">Run</th>
          <th scope="col">Results</th>
          <th scope="col" class="number">Passed</th>
        </tr>
      </thead>
      <tbody>
        ${shown.map(
          ({ name, status, createdAt, stats }) =>
            html`<tr>
              <td>
                <span class="title">${name}</span>
                <span class="narrow always"
                  >${formatDay(createdAt)} · ${status === 'completed' ? 'completed' : 'in progress'}</span
                >
              </td>
              <td>${renderBar(stats)} <span class="bar-words">${describeCounts(stats)}</span></td>
              <td class="number">${formatShare(stats.passed, countTested(stats))}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${runs.length > shown.length ? html`<p class="hint">The newest ${formatNumberOf(MAX_RUNS, 'run')} of ${formatWholeNumber(runs.length)}.</p>` : null}
  </section>`
}

function renderPages({ page, total, results }: Report, path: string): Html | null {
  if (page.isWhole) {
    return total > results.length
      ? html`<p class="hint">
          The first ${formatWholeNumber(MAX_RESULTS)} of ${formatNumberOf(total, 'result')}. The CSV file has all of
          them.
        </p>`
      : null
  }
  const link = (number: number, label: string) =>
    number < 1 || number > page.count ? null : html`<a class="button" href="${path}?page=${number}">${label}</a>`
  const onOne = total <= MAX_RESULTS ? 'All on one page' : `The first ${formatWholeNumber(MAX_RESULTS)} on one page`
  const first = (page.number - 1) * RESULTS_PER_PAGE + 1
  return html`<nav class="pages" aria-label="Pages">
    ${link(page.number - 1, 'Previous')}
    <span
      >Page ${formatWholeNumber(page.number)} of ${formatWholeNumber(page.count)}
      <span class="range">(${formatWholeNumber(first)} to ${formatWholeNumber(first + results.length - 1)})</span></span
    >
    ${link(page.number + 1, 'Next')} <a class="button" href="${path}?all=1">${onOne}</a>
  </nav>`
}

const renderFoot = ({ share }: Report, path: string): Html =>
  html`<footer class="foot">
    <p>
      <a class="button" href="${path}/export?format=csv" download>CSV</a>
      <a class="button" href="${path}/export?format=xlsx" download>Excel</a>
    </p>
    <p class="hint">
      ${share.include.has('people') ? null : 'This report names no people. '}Whoever has its address can read it. To
      keep its present state, print it or save it as a PDF.
    </p>
    <p class="brand">Caseward</p>
  </footer>`
