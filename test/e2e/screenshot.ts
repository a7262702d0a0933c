import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import playwrightConfig from '../../playwright.config.ts'
import { projectFolder, startNode } from '../processes.ts'

// npm run screenshot: the README's picture, taken from the running program.

const file = join(projectFolder, 'docs/screenshot.png')
const folder = mkdtempSync(join(tmpdir(), 'poa-screenshot-'))
const server = startNode('server/main.ts', [], { env: { ...process.env, PORT: '0', DATA_DIR: folder } })
const [, address] = await server.waitFor(/ready: (http\S+)/)
const browser = await chromium.launch(playwrightConfig.use?.launchOptions)
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
await page.goto(`${address}/?select=incident-5#14.6/34.050/-111.0995`)
await page.locator('[data-map-state=complete]').waitFor()
await page.getByRole('heading', { level: 2 }).waitFor()
await page.screenshot({ path: file })
await browser.close()
await server.stop()
rmSync(folder, { recursive: true })
console.log(`Wrote ${file}`)
