// The history of the tab; toasts stand outside the pages and lead into them by it.

import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router'

export const browserHistory: RouterHistory = createBrowserHistory()
