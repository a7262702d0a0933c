import { expect, type Locator, type Page } from '@playwright/test'
import { Records } from './records.driver.ts'
import type { ServedProject } from './served-project.ts'

type Sent = { name: string; mimeType: string; buffer: Buffer }
export const photoNamed = (name: string, buffer: Buffer): Sent => ({ name, mimeType: 'image/jpeg', buffer })

export class Files {
  readonly page: Page
  readonly records: Records
  readonly section: Locator
  readonly tiles: Locator
  readonly gallery: Locator
  readonly add: Locator
  readonly onTheirWay: Locator

  constructor(page: Page, server: ServedProject) {
    this.page = page
    this.records = new Records(page, server)
    this.section = this.records.map.details.getByRole('region', { name: 'Photos and files' })
    this.tiles = this.section.getByRole('button', { name: /, \d+ of \d+$/ })
    this.gallery = page.getByRole('dialog', { name: 'Photos and files' })
    this.add = this.section.getByRole('button', { name: 'Add photos or PDF' })
    this.onTheirWay = this.section.getByRole('list', { name: 'Uploads' })
  }

  async choose(...files: Sent[]): Promise<void> {
    await this.add.waitFor()
    await this.section.getByLabel('Photos and files').setInputFiles(files)
  }

  async bring(how: 'drop' | 'paste', ...files: Sent[]): Promise<void> {
    const sent = files.map(({ buffer, ...file }) => ({ ...file, base64: buffer.toString('base64') }))
    await this.add.evaluate(
      (button, { how, sent }) => {
        const data = new DataTransfer()
        for (const { name, mimeType, base64 } of sent) {
          const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
          data.items.add(new File([bytes], name, { type: mimeType }))
        }
        const event =
          how === 'drop'
            ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
            : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
        button.dispatchEvent(event)
      },
      { how, sent },
    )
  }

  tile(name: string): Locator {
    return this.section.getByRole('button', { name: new RegExp(`^${name}, \\d+ of \\d+$`) })
  }

  /** Waits until each photo shows its picture. */
  async expectLoaded(): Promise<void> {
    const pictures = this.records.map.details.locator('img[src*="/files/"]')
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded()
      await expect
        .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0)
    }
  }

  async view(name: string): Promise<void> {
    await this.tile(name).press('Enter')
    await expect(this.gallery.getByRole('button', { name: 'Close' })).toBeFocused()
  }

  async expectTiles(...names: string[]): Promise<void> {
    const labels = names.map((name, index) => `${name}, ${index + 1} of ${names.length}`)
    await expect
      .poll(() => this.tiles.evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute('aria-label'))))
      .toEqual(labels)
  }
}
