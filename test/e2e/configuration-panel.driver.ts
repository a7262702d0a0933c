import { expect, type Locator, type Page } from '@playwright/test'

export class ConfigurationPanel {
  readonly page: Page
  readonly latitude: Locator
  readonly longitude: Locator
  readonly zoom: Locator
  readonly defaultMapType: Locator
  readonly bounds: Locator
  readonly apply: Locator
  readonly revert: Locator
  readonly changes: Locator
  readonly conflict: Locator
  readonly boundsWarning: Locator
  readonly removal: Locator
  readonly note: Locator

  constructor(page: Page) {
    this.page = page
    this.latitude = page.getByLabel('Latitude')
    this.longitude = page.getByLabel('Longitude')
    this.zoom = page.getByRole('slider', { name: 'Zoom', exact: true })
    this.defaultMapType = page.getByLabel('Default map type')
    this.bounds = page.getByLabel('Keep the map within bounds')
    this.apply = page.getByRole('button', { name: 'Apply Settings' })
    this.revert = page.getByRole('button', { name: 'Revert' })
    this.changes = page.getByRole('form', { name: 'Map Configuration' }).locator('footer').getByRole('status')
    this.boundsWarning = page.getByRole('group', { name: 'Bounds' }).getByRole('status')
    this.note = page.getByText(/^No settings applied:/)
    this.removal = page.getByRole('dialog', { name: 'Reset settings to defaults?' })
    this.conflict = page.getByRole('group', { name: 'Center: mine or theirs?' })
  }

  mapType(name: 'Street' | 'Satellite' | 'Terrain' | 'Hybrid'): Locator {
    return this.page.getByRole('group', { name: 'Map types' }).getByLabel(name)
  }

  side(name: 'North' | 'East' | 'South' | 'West'): Locator {
    return this.page.getByLabel(name, { exact: true })
  }

  async fillBounds(bounds: { north: number; east: number; south: number; west: number }): Promise<void> {
    await this.bounds.check()
    await this.side('North').fill(String(bounds.north))
    await this.side('East').fill(String(bounds.east))
    await this.side('South').fill(String(bounds.south))
    await this.side('West').fill(String(bounds.west))
  }

  useCurrentView(group: 'position' | 'bounds'): Locator {
    return this.page.getByRole('button', { name: `Use current view for ${group}` })
  }

  async hasProblem(field: Locator, text: string): Promise<void> {
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(this.page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`)).toContainText(
      text,
    )
  }

  async applyAndWait(): Promise<void> {
    await this.apply.click()
    await expect(this.changes).toHaveText('No unsaved changes')
  }

  async remove(): Promise<void> {
    await this.page.getByRole('button', { name: 'Reset to defaults' }).click()
    await this.removal.getByRole('button', { name: 'Reset' }).click()
  }

  async openVersions(): Promise<void> {
    await this.page.getByRole('button', { name: 'Versions' }).click()
  }

  version(number: number): Locator {
    return this.page
      .getByRole('region', { name: 'Versions' })
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`^Version ${number}\\b`) })
  }
}
