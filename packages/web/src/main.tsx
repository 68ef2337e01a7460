// Where the app begins in the browser.

import './shell/first-styles.ts'
import './shell/app.css'
import { createRoot } from 'react-dom/client'
import { App } from './shell/app.tsx'
import { startLive } from './shell/live.ts'

startLive()
const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
