import { webFlow } from './web-flow.ts'

webFlow('SQLite')
