import { expect, it } from 'vitest'
import { TableOrder } from './table-order.ts'

it('sorts by zoom, then by location', () => {
  const order = new TableOrder(10)
  order.add(7, { size_zoom: 99, morton: 1 })
  order.add(2, { size_zoom: 8, morton: 2 ** 51 })
  order.add(9, { size_zoom: 8, morton: 3 })
  order.add(4, { size_zoom: 12, morton: 0 })
  expect([...order.sorted()]).toEqual([9, 2, 4, 7])
})
