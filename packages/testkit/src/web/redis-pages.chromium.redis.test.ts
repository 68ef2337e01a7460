import { pagesFlow } from './pages-flow.ts'

pagesFlow('Redis')
