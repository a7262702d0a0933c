import type { DrawnShape } from './drawn-shape.ts'

/** Where shapes are kept: in the tab, or wherever the page wants them. A refusal is thrown, in words. */
export type ShapeStorage = {
  load(): Promise<DrawnShape[]>
  created(shapes: DrawnShape[]): Promise<void>
  edited(shapes: DrawnShape[]): Promise<void>
  deleted(ids: string[]): Promise<void>
  cleared(): Promise<void>
}

/** In the tab alone: a reload keeps them, closing the tab forgets them. */
export function tabStorage(name: string): ShapeStorage {
  const key = `poa.shapes.${name}`
  const read = () => {
    try {
      return JSON.parse(sessionStorage.getItem(key) ?? '[]') as DrawnShape[]
    } catch {
      return []
    }
  }
  const write = (shapes: DrawnShape[]) => {
    try {
      sessionStorage.setItem(key, JSON.stringify(shapes))
    } catch {
      throw new Error('This tab has no more room for shapes: download them before you leave.')
    }
  }
  return {
    load: async () => read(),
    created: async (shapes) => write([...read(), ...shapes]),
    edited: async (shapes) =>
      write(read().map((known) => shapes.find((shape) => shape.id === known.id) ?? known)),
    deleted: async (ids) => write(read().filter((shape) => !ids.includes(shape.id))),
    cleared: async () => sessionStorage.removeItem(key),
  }
}
