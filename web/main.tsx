import './validate-without-eval.ts'
import '@mantine/core/styles.css'
import './ui/page.css'
import './ui/touch.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Application } from './app/application.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element #root.')
createRoot(root).render(
  <StrictMode>
    <Application />
  </StrictMode>,
)
