import './validate-without-eval.ts'
import '@mantine/core/styles.css'
import './ui/page.css'
import './ui/touch.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Application } from './app/application.tsx'
import { ChunkError } from './ui/load-chunk.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element #root.')
createRoot(root, {
  // What did not come over the network is told on the page; what is broken belongs on the console too.
  onCaughtError: (error) => {
    if (!(error instanceof ChunkError)) console.error(error)
  },
}).render(
  <StrictMode>
    <Application />
  </StrictMode>,
)
