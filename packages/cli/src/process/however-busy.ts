// For one's own machine: beats of a worker say how busy its machine is, and one that is overloaded gets no jobs. Where
// there is no other to take them, somebody who develops rather waits for a slow job than for none.

import { Option } from 'commander'

export function howeverBusy(): Option {
  return new Option('--however-busy', 'take jobs also while this machine is overloaded')
}
