import { checkDemoPages } from './check-demo-pages.ts'

// every-page-widths.e2e.ts has both themes and all widths, at 200 % and with wide text.
checkDemoPages('are accessible, and lose nothing in a narrow window', { isBrief: true })
