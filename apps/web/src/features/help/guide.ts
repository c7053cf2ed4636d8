import contents from '../../../../../docs/guide/README.md?raw'

/** A page of the user guide. */
export interface GuidePage {
  /** Its name in addresses. */
  readonly name: string
  readonly title: string
}

/** The pages in the order of the guide's contents, a list of links such as `1. [Keys](keys.md)`. */
export const guidePages: readonly GuidePage[] = [...contents.matchAll(/^\d+\. \[(.+)\]\(([\w-]+)\.md\)$/gm)].map(
  ([, title = '', name = '']) => ({ name, title }),
)

const texts = import.meta.glob<string>(['../../../../../docs/guide/*.md', '!../../../../../docs/guide/README.md'], {
  query: '?raw',
  import: 'default',
})

const pictures = import.meta.glob<string>(
  '../../../../../docs/screenshots/{administration,case-panel,case-versions,combinations,comments,compare-pictures,duplicates,execution,fields,import,insight,log,matrix,members,milestone,milestones,projects,quarantine,reruns,result,run,run-failures,run-tests,settings,share,shared-report,shared-step,views}-light-1440.webp',
  { query: '?url', import: 'default', eager: true },
)

/** Reads the Markdown of a page. @returns null if the guide has no such page */
export async function loadGuidePage(name: string): Promise<string | null> {
  const load = texts[`../../../../../docs/guide/${name}.md`]
  return load === undefined ? null : await load()
}

/** The repository, which also has what the guide links to but does not contain. */
const REPOSITORY = 'https://github.com/caseward/caseward/blob/main'

/** Where a link of a page leads: to another page of the guide, or elsewhere. */
export function resolveGuideLink(href: string): { page: string } | { url: string } {
  const [, page] = /^([\w-]+)\.md(?:#.*)?$/.exec(href) ?? []
  if (page !== undefined) return { page }
  if (/^(?:https?:|#|\/)/.test(href)) return { url: href }
  return { url: `${REPOSITORY}${new URL(href, 'file:///docs/guide/').pathname}` }
}

/** The address of a picture of a page; undefined if the build does not contain it. */
export const resolveGuidePicture = (source: string): string | undefined =>
  pictures[`../../../../../docs/guide/${source}`.replace('guide/../', '')]
