import { webFlow } from './web-flow.ts'

webFlow('Redis')
