import { RESULT_STATUSES } from '@caseward/contract/results'
import { formatDuration, formatWholeNumber } from '@caseward/matching/format-amounts'
import { formatBytes } from '@caseward/matching/format-bytes'
import { isWebAddress } from '@caseward/matching/web-address'
import { type Html, html } from '../../platform/pages/html.ts'
import { statusNames } from '../exports/export-columns.ts'
import type { RecordCombination, RecordLink } from '../exports/result-records.queries.ts'
import type { ReportProblem, ReportResult } from './read-report.ts'
import { renderComments } from './render-comments.ts'
import { renderStatus } from './render-status.ts'
import type { ReportFile, ReportStep } from './report-details.queries.ts'
import { formatTime } from './report-words.ts'

/** What the parts of a report need. */
export interface RenderContext {
  /** The path of the report. */
  path: string
  /** The names of the runs; null where all results are of one. */
  runNames: ReadonlyMap<string, string> | null
  showsPeople: boolean
}

const noFolder = 'Without folder'

/** A result that did not pass, with everything that belongs to it. */
export function renderProblem(result: ReportProblem, context: RenderContext): Html {
  const facts = [result.folder, ...listFacts(result, context)].filter((fact) => fact !== '')
  return html`<article class="result">
    <h3>
      ${renderStatus(result.status)}
      ${result.testCaseId === null ? null : html`<span class="id">${result.testCaseId}</span>`}
      <span class="title">${result.title}</span>
    </h3>
    ${facts.length === 0 ? null : html`<p class="facts">${facts.join(' · ')}</p>`} ${renderNote(result)}
    ${result.combinations.length === 0 ? null : renderCombinations(result.combinations)}
    ${result.steps.length === 0 ? null : renderSteps(result.steps)}
    ${result.links.length === 0 ? null : renderLinks(result.links)}
    ${result.files.length === 0 ? null : renderFiles(result.files, context)} ${renderComments(result.comments)}
  </article>`
}

function listFacts({ elapsed, testedAt, tester, runId, status }: ReportResult, { runNames }: RenderContext): string[] {
  return [
    runNames?.get(runId) ?? '',
    elapsed === null ? '' : formatDuration(elapsed),
    testedAt === null || status === 'not_tested' ? '' : formatTime(testedAt),
    tester === null ? '' : `tested by ${tester}`,
  ]
}

function renderNote({ note, noteLength }: ReportResult): Html | null {
  if (note === null || note.trim() === '') return null
  const isCut = note.length < noteLength && noteLength > 4000
  const isCode = /\n[ \t]+\S/.test(note)
  return html`<pre class="note${isCode ? ' code' : ''}">
${note}${
      isCut
        ? html`<span class="cut"> … ${formatWholeNumber(noteLength)} characters in all; the CSV file has them</span>`
        : null
    }</pre>`
}

const renderCombinations = (combinations: readonly RecordCombination[]): Html =>
  html`<ul class="steps" aria-label="Combinations">
    ${combinations.map(
      ({ name, status, note }) =>
        html`<li>
          ${renderStatus(status)} <span class="action">${name}</span>
          ${note === null || note.trim() === '' ? null : html`<p class="actual">${note}</p>`}
        </li>`,
    )}
  </ul>`

/** What a row says of combinations: those that need attention by name, the others by number. */
function describeCombinations(combinations: readonly RecordCombination[]): string {
  return RESULT_STATUSES.flatMap((status) => {
    const names = combinations.filter((one) => one.status === status).map(({ name }) => name)
    if (names.length === 0) return []
    const isNamed = status === 'failed' || status === 'blocked' || status === 'retest'
    const word = statusNames[status]
    return isNamed ? `${word}: ${names.join('; ')}` : `${formatWholeNumber(names.length)} ${word.toLowerCase()}`
  }).join(' · ')
}

const renderSteps = (steps: readonly ReportStep[]): Html =>
  html`<ol class="steps" aria-label="Steps">
    ${steps.map(
      ({ position, status, action, actual }) =>
        html`<li value="${position}">
          ${status === null ? null : renderStatus(status)}
          ${action === null ? null : html`<span class="action">${action}</span>`}
          ${actual === null ? null : html`<p class="actual"><b>Actual:</b> ${actual}</p>`}
        </li>`,
    )}
  </ol>`

const kindNames = { defect: 'Defect', requirement: 'Requirement', other: 'Link' } as const

/** The address is printed after the label. */
const renderLink = ({ url, label }: RecordLink): Html =>
  isWebAddress(url) ? html`<a href="${url}" rel="noreferrer noopener nofollow">${label}</a>` : html`${label}`

const renderLinks = (links: readonly RecordLink[]): Html =>
  html`<ul class="links" aria-label="Links">
    ${links.map((link) => html`<li><span class="kind">${kindNames[link.kind]}</span> ${renderLink(link)}</li>`)}
  </ul>`

function renderFiles(files: readonly ReportFile[], { path }: RenderContext): Html {
  const shown = files.filter(({ kind }) => kind === 'image' || kind === 'video' || kind === 'audio')
  const others = files.filter((file) => !shown.includes(file))
  return html`${shown.length === 0 ? null : html`<div class="media">${shown.map((file) => renderMedia(file, path))}</div>`}
  ${
    others.length === 0
      ? null
      : html`<ul class="files" aria-label="Files">
          ${others.map(
            ({ id, name, byteCount }) =>
              html`<li>
                <a class="file" href="${path}/files/${id}">${name}</a> <span>${formatBytes(byteCount)}</span>
              </li>`,
          )}
        </ul>`
  }`
}

/** A picture has its true proportions before it is loaded. On paper, a video is its name. */
function renderMedia({ id, name, kind, width, height }: ReportFile, path: string): Html {
  const address = `${path}/files/${id}`
  const caption = html`<figcaption>${name}</figcaption>`
  if (kind === 'image') {
    const size = width === null || height === null ? null : html` width="${width}" height="${height}"`
    return html`<figure class="image">
      <a class="file" href="${address}"><img src="${address}" alt="${name}" loading="lazy" ${size} /></a>${caption}
    </figure>`
  }
  return kind === 'video'
    ? html`<figure><video src="${address}" controls preload="none" aria-label="${name}"></video>${caption}</figure>`
    : html`<figure><audio src="${address}" controls preload="none" aria-label="${name}"></audio>${caption}</figure>`
}

/** The list of results, in groups of what is in one folder. */
export function renderResults(results: readonly ReportResult[], context: RenderContext): Html {
  const { showsPeople } = context
  return html`<table class="results">
    <thead>
      <tr>
        <th scope="col">Status</th>
        <th scope="col">Test case</th>
        <th scope="col" class="wide number">Duration</th>
        <th scope="col" class="wide">Tested</th>
        ${showsPeople ? html`<th scope="col" class="wide">By</th>` : null}
      </tr>
    </thead>
    ${groupResults(results, context).map(
      ({ heading, members }) =>
        html`<tbody>
          <tr class="group">
            <th scope="rowgroup" colspan="${showsPeople ? 5 : 4}">${heading}</th>
          </tr>
          ${members.map((result) => renderRow(result, context))}
        </tbody>`,
    )}
  </table>`
}

function groupResults(results: readonly ReportResult[], { runNames }: RenderContext) {
  const groups: { heading: string; members: ReportResult[] }[] = []
  for (const result of results) {
    const run = runNames?.get(result.runId)
    const folder = result.folder === '' ? noFolder : result.folder
    const heading = run === undefined ? folder : `${run} · ${folder}`
    const last = groups.at(-1)
    if (last?.heading === heading) last.members.push(result)
    else groups.push({ heading, members: [result] })
  }
  return groups
}

function renderRow(result: ReportResult, { showsPeople }: RenderContext): Html {
  const { status, testCaseId, title, elapsed, testedAt, tester, links, combinations } = result
  const isTested = status !== 'not_tested'
  const duration = elapsed === null ? '' : formatDuration(elapsed)
  const time = testedAt === null || !isTested ? '' : formatTime(testedAt)
  const narrow = [duration, time, tester ?? ''].filter((fact) => fact !== '').join(' · ')
  return html`<tr>
    <td>${renderStatus(status)}</td>
    <td>
      ${testCaseId === null ? null : html`<span class="id">${testCaseId}</span>`} <span class="title">${title}</span>
      ${
        combinations.length === 0
          ? null
          : html`<span class="narrow always">${describeCombinations(combinations)}</span>`
      }
      ${links.length === 0 ? null : html`<span class="row-links">${links.map(renderLink)}</span>`}
      ${narrow === '' ? null : html`<span class="narrow">${narrow}</span>`}
    </td>
    <td class="wide number">${duration}</td>
    <td class="wide">${time}</td>
    ${showsPeople ? html`<td class="wide">${tester ?? ''}</td>` : null}
  </tr>`
}
