import './validate-without-eval.ts'
import '@mantine/core/styles.css'
import './ui/page.css'
import './ui/touch.css'
import { startFirstMap } from './app/map-page/first-map.ts'
import { loadChunk, watchStyles } from './ui/load-chunk.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element #root.')
watchStyles()

// The map starts before the rest of the page, because it loads the most. The page reports an engine that fails to load.
const firstMap = startFirstMap().catch(() => {})
const page = loadChunk(() => import('./app/start.tsx'))

/** Limit for preloading the data of the first screen. */
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
