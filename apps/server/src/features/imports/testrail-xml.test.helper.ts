/** What a test of imports says about a test case. */
export interface XmlCase {
  id: string
  title: string
  steps?: [string, string][]
  priority?: string
  severity?: string
  references?: string
}

/** An export of TestRail with these test cases, and one that is always there. */
export const toXml = (cases: readonly XmlCase[]) => `<?xml version="1.0" encoding="UTF-8"?>
<suite><id>S1</id><name>Master</name><description></description><sections>
  <section><name>Basket</name><description>All of it</description><cases>${cases.map(toCaseXml).join('')}</cases>
    <sections><section><name>Cards</name><cases>
      <case><id>C90</id><title>Refuses a card</title><template>Test Case (Text)</template><type>Other</type><priority>Low</priority>
        <custom><steps>1. Enter a card\n2. Pay</steps><expected>1. It is taken\n2. It is refused</expected></custom>
      </case>
    </cases></section></sections>
  </section>
</sections></suite>`

const toCaseXml = ({
  id,
  title,
  steps = [['Open', 'Shown']],
  priority = 'High',
  severity = 'Major',
  references = '',
}: XmlCase) =>
  `<case><id>${id}</id><title>${title}</title><template>Test Case (Steps)</template><type>Functional</type>
    <priority>${priority}</priority><references>${references}</references><custom><preconds>Signed in</preconds><steps_separated>
    ${steps.map(([action, expected], index) => `<step><index>${index + 1}</index><content>${action}</content><expected>${expected}</expected></step>`).join('')}
    </steps_separated><severity><id>2</id><value>${severity}</value></severity></custom></case>`

/** Test cases with what makes an import ask and lose. */
export const CASES: readonly XmlCase[] = [
  {
    id: 'C11',
    title: 'Pays by card',
    steps: [
      ['Open **basket**', 'It is shown'],
      ['Pay', ''],
    ],
    references: 'SHOP-1',
  },
  { id: 'C12', title: 'Pays by voucher', priority: 'Showstopper', severity: 'Minor' },
  { id: 'C13', title: 'Pays later' },
  { id: 'C14', title: 'Pays never', severity: 'Minor' },
]
