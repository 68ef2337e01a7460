import { describeServerFlow } from './server-flow.ts'

describeServerFlow('SQLite', () => [])
