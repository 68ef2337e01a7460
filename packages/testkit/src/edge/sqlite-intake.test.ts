import { describeIntake } from './intake-flow.ts'

describeIntake('SQLite', () => [])
