import { describeChecker, type Plant } from './describe-checker.ts'
import { checkWords } from './words.ts'

const named = (path: string): Plant => ({ what: path, files: [{ path, text: '' }], finds: 'its name says' })
const declaring = (text: string): Plant => ({
  what: text,
  files: [{ path: 'packages/server/src/job/a.ts', text }],
  finds: 'declares',
})

describeChecker('[H5] names use the words of the house and none of their synonyms', checkWords, [
  named('packages/server/src/job/job-scheduler.ts'),
  named('packages/server/src/utils.ts'),
  named('packages/server/src/helpers/a.ts'),
  named('packages/domain/src/common.ts'),
  named('packages/domain/src/job/types.ts'),
  named('packages/server/src/job/job-manager.ts'),
  named('packages/server/src/store/sqlite/sqlite-worker.ts'),
  declaring('export class JobScheduler {}'),
  declaring('const tenantId = 1'),
  declaring('function dateUtils() {}'),
  declaring('export class ConnectionManager {}'),
  declaring('interface SqliteWorker {}'),
])
