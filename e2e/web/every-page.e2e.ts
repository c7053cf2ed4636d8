import { checkDemoPages } from './check-demo-pages.ts'

// every-page-widths.e2e.ts has all widths, at 200 % and with wide text.
checkDemoPages('are accessible in both themes, and lose nothing in a narrow window', { isBrief: true })
