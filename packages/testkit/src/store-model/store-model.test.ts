// The model the stores are compared with keeps the same contract, so that it cannot be wrong in their favour.

import { describeStoreContract } from '../store-contract/store-contract.ts'
import { StoreModel } from './store-model.ts'

describeStoreContract('the model', async (options) => {
  const store = new StoreModel(options)
  return { store, close: () => store.close() }
})
