import { expect, type Locator, type Page } from '@playwright/test'

export type Column = 'Kind' | 'Name' | 'Type' | 'Severity' | 'Status' | 'Date' | 'Parcel'

export class FeatureTable {
  readonly page: Page
  readonly grid: Locator
  readonly count: Locator
  readonly searchBox: Locator
  readonly details: Locator
  readonly selected: Locator

  constructor(page: Page) {
    this.page = page
    const section = page.getByRole('region', { name: 'Map Features' })
    this.grid = section.getByRole('grid', { name: 'Features' })
    this.count = page.locator('header').getByRole('status')
    this.searchBox = section.getByRole('searchbox', { name: 'Search features' })
    this.selected = section.getByRole('region', { name: 'Selected records' }).getByRole('status')
    this.details = section.getByRole('region', { name: 'Details' })
  }

  async filterBy(name: 'Kind' | 'Maintenance', option: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Filters/ }).click()
    const filter = this.page.getByLabel(name, { exact: true })
    await expect(filter).toBeInViewport()
    await filter.selectOption(option)
    await this.page.keyboard.press('Escape')
  }

  async choose(menu: 'More' | 'Sort' | 'Actions' | 'Set status', item: string): Promise<void> {
    await this.page.getByRole('button', { name: menu, exact: true }).click()
    await this.page.getByRole('menuitem', { name: item }).click()
  }

  row(name: string): Locator {
    return this.grid
      .getByRole('row')
      .filter({ has: this.page.locator('td[data-column=name]').getByText(name, { exact: true }) })
  }

  select(name: string): Locator {
    return this.grid.getByRole('checkbox', { name: `Select ${name}`, exact: true })
  }

  cell(name: string, column: Column): Locator {
    return this.row(name).locator(`td[data-column=${column.toLowerCase()}]`)
  }

  cellAt(name: string, path: string): Locator {
    return this.row(name).locator(`td[data-column="${path}"]`)
  }

  editor(label: string): Locator {
    return this.grid.locator('td[data-edited]').getByLabel(label, { exact: true })
  }

  widthOf(label: string): Locator {
    return this.grid.getByRole('separator', { name: `Width of ${label}`, exact: true })
  }

  header(column: Column): Locator {
    return this.grid.getByRole('columnheader', { name: column })
  }

  names(): Locator {
    return this.grid.locator('td[data-column=name]')
  }

  async sortBy(column: Column, becomes: 'ascending' | 'descending' | 'none'): Promise<void> {
    await this.header(column).getByRole('button').click()
    await expect(this.header(column)).toHaveAttribute('aria-sort', becomes)
  }

  async scrollTo(share: number): Promise<void> {
    await this.grid.evaluate((grid, share) => {
      const box = grid.parentElement as HTMLElement
      box.scrollTop = share * box.scrollHeight
    }, share)
  }

  async hasDetailsOf(name: string): Promise<void> {
    await expect(this.details.getByRole('heading', { name, exact: true })).toBeVisible()
  }

  async isSelected(name: string): Promise<void> {
    await expect(this.row(name)).toHaveAttribute('aria-selected', 'true')
    await expect(this.cell(name, 'Name')).toBeInViewport({ ratio: 0.9 })
  }

  statusOf(name: string): Locator {
    return this.grid.getByLabel(`Status of ${name}`, { exact: true })
  }
}
