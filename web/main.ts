import './validate-without-eval.ts'
import '@mantine/core/styles.css'
import './ui/page.css'
import './ui/touch.css'
import { startFirstMap } from './app/map-page/first-map.ts'
import { loadChunk } from './ui/load-chunk.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element #root.')

// The map begins before the page around it: it waits longest for what it needs.
// Where the engine does not come, the page says so.
const firstMap = startFirstMap().catch(() => {})
const page = loadChunk(() => import('./app/start.tsx'))

/** The page does not wait longer for what it shows first, which may be on its way for a while. */
const waitsAtMostMs = 300

page.then(
  async ({ preload, start }) => {
    await Promise.race([
      Promise.all([firstMap, preload()]),
      new Promise((resolve) => setTimeout(resolve, waitsAtMostMs)),
    ])
    start(root)
  },
  () => {
    root.textContent = 'The page could not be loaded. Reload it to try again.'
  },
)
