// How a followed job is told where nobody looks, in a pipe or a file: a line for each change, and none twice. A job is
// looked at again and again, and a look may be older than what was heard meanwhile.

import type { JobView } from '@millrace/protocol'
import { plainText } from '../output/plain-text.ts'
import type { Paint } from '../output/terminal.ts'
import { type Follower, isEnded } from './follow-job.ts'
import { stageInWords } from './job-words.ts'
import { showWhy } from './progress-line.ts'
import { progressOf, showStatus } from './show-job.ts'
import { isOverloaded, lastTry, overloadAdvice } from './wait-words.ts'

/** Of a progress without words, every so much is worth a line. */
const step = 0.1

const nothing = { fraction: -1, message: '' }

export function lineFollower(say: (text: string) => void, paint: Paint): Follower {
  let attempt: number | undefined
  let state = ''
  let waiting = ''
  let failure = ''
  let isAdvised = false
  let shown = nothing
  return {
    state: (job) => {
      // What was heard before the first look is about the attempt that is then seen.
      if (attempt !== undefined && job.assignedAt !== attempt) [state, shown] = ['', nothing]
      attempt = job.assignedAt
      failure = lastTry(job)
      // Why it waits is told instead of that it does, and how it ended is told with its result.
      if (job.status === 'pending' || isEnded(job)) return
      const line = stateLine(job, paint)
      if (line !== state) say(line)
      ;[state, waiting] = [line, '']
    },
    waiting: (why) => {
      // That a load, a place or an estimate has become another is no news; that nobody is ahead any more is.
      const words = `${why.reason} ${why.sentence}${failure}`.replaceAll(/[\d.,]+/g, '')
      const news = `${words} ${why.ahead === null || why.ahead === 0}`
      if (news !== waiting) say(`${showStatus('pending', paint)}: ${plainText(showWhy(why) + failure)}`)
      waiting = news
      if (isAdvised || !isOverloaded(why)) return
      isAdvised = true
      say(`  Next: ${overloadAdvice}`)
    },
    progress: (fraction, message = '') => {
      if (!isNews(shown, { fraction, message })) return
      shown = { fraction, message }
      say(plainText(progressOf(shown)))
    },
    line: ({ text }) => say(`  ${plainText(text)}`),
    trouble: (reason) => say(reason === null ? 'The server answers again.' : plainText(reason)),
  }
}

/** Less than was shown is an older look at the same attempt. */
function isNews(shown: typeof nothing, { fraction, message }: typeof nothing): boolean {
  if (fraction < shown.fraction) return false
  if (message !== shown.message || fraction >= shown.fraction + step) return true
  return fraction === 1 && shown.fraction < 1
}

function stateLine({ status, worker, cancel }: JobView, paint: Paint): string {
  const on = status === 'assigned' ? ` to ${worker}` : status === 'running' ? ` on ${worker}` : ''
  const asked = cancel && status !== 'cancelled' ? ` (cancel: ${stageInWords(cancel.stage)})` : ''
  return `${showStatus(status, paint)}${plainText(on + asked)}`
}
