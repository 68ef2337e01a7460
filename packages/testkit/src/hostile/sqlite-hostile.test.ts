import { describeHostile } from './hostile-flow.ts'

describeHostile('SQLite', () => [])
