import { expect, type Locator, type Page } from '@playwright/test'

export type Column = 'Kind' | 'Name' | 'Type' | 'Severity' | 'Status' | 'Date' | 'Parcel'

/** The section 'features': Map Features. */
export class FeatureTable {
  readonly page: Page
  readonly grid: Locator
  readonly count: Locator
  readonly searchBox: Locator
  readonly details: Locator
  /** How many rows are selected to be changed together. */
  readonly selected: Locator

  constructor(page: Page) {
    this.page = page
    const section = page.getByRole('region', { name: 'Map Features' })
    this.grid = section.getByRole('grid', { name: 'Features' })
    this.count = section.locator('header').getByRole('status')
    this.searchBox = section.getByRole('searchbox', { name: 'Search features' })
    this.selected = section.getByRole('region', { name: 'Selected features' }).getByRole('status')
    this.details = section.getByRole('region', { name: 'Details' })
  }

  filter(name: 'Kind' | 'Type' | 'Severity' | 'Status'): Locator {
    return this.page.getByLabel(name, { exact: true })
  }

  row(name: string): Locator {
    return this.grid
      .getByRole('row')
      .filter({ has: this.page.locator('td[data-column=name]').getByText(name, { exact: true }) })
  }

  /** The box by which a row is selected to be changed together with others. */
  select(name: string): Locator {
    return this.grid.getByRole('checkbox', { name: `Select ${name}`, exact: true })
  }

  cell(name: string, column: Column): Locator {
    return this.row(name).locator(`td[data-column=${column.toLowerCase()}]`)
  }

  /** Any column, by its path. */
  cellAt(name: string, path: string): Locator {
    return this.row(name).locator(`td[data-column="${path}"]`)
  }

  /** The control in the cell that is edited. */
  editor(label: string): Locator {
    return this.grid.locator('td[data-edited]').getByLabel(label, { exact: true })
  }

  widthOf(label: string): Locator {
    return this.grid.getByRole('separator', { name: `Width of ${label}`, exact: true })
  }

  header(column: Column): Locator {
    return this.grid.getByRole('columnheader', { name: column })
  }

  /** The names of the rows that are in the page, from the top. */
  names(): Locator {
    return this.grid.locator('td[data-column=name]')
  }

  /** One press on the header; waits until it says so. */
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

  /** The row is selected and can be seen. */
  async isSelected(name: string): Promise<void> {
    await expect(this.row(name)).toHaveAttribute('aria-selected', 'true')
    await expect(this.row(name)).toBeInViewport({ ratio: 0.9 })
  }

  /** The badge that is the control. */
  statusOf(name: string): Locator {
    return this.grid.getByLabel(`Status of ${name}`, { exact: true })
  }
}
