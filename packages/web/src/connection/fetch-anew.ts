// Fetches again what may have changed. A first fetch that is still on its way is begun anew as well: the library would wait
// for its answer, which the server may have read before the change.

import type { QueryClient, QueryFilters } from '@tanstack/react-query'

export async function fetchAnew(client: QueryClient, filters: QueryFilters): Promise<void> {
  await client.cancelQueries(filters, { silent: true })
  await client.invalidateQueries(filters)
}
