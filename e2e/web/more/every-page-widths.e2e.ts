import { checkDemoPages } from '../check-demo-pages.ts'

checkDemoPages('are accessible and lose nothing at any width')
