// Where the app begins in the browser.

import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './shell/app.css'
import { createRoot } from 'react-dom/client'
import { App } from './shell/app.tsx'
import { startLive } from './shell/live.ts'

startLive()
const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
