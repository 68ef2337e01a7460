import { describeNounFlow } from './noun-flow.ts'

describeNounFlow('SQLite', () => [])
