import type { Control } from './eyes.ts'

/** The screen without map ids, with the state that changes what its controls do. */
export type Setting = { screen: string; hasUnsaved: boolean }

export class Reach {
  readonly #uses = new Map<string, number>()
  readonly #usesWithUnsaved = new Map<string, number>()

  saw({ screen }: Setting, controls: readonly Control[]) {
    for (const { place } of controls) {
      const key = `${screen} ${place}`
      if (!this.#uses.has(key)) this.#uses.set(key, 0)
    }
  }

  used({ screen, hasUnsaved }: Setting, { place }: Control) {
    const key = `${screen} ${place}`
    this.#uses.set(key, (this.#uses.get(key) ?? 0) + 1)
    if (hasUnsaved) this.#usesWithUnsaved.set(key, (this.#usesWithUnsaved.get(key) ?? 0) + 1)
  }

  /** With unsaved work, controls count separately. */
  usesOf({ screen, hasUnsaved }: Setting, { place }: Control): number {
    return (hasUnsaved ? this.#usesWithUnsaved : this.#uses).get(`${screen} ${place}`) ?? 0
  }

  get unused(): string[] {
    return [...this.#uses].filter(([, uses]) => uses === 0).map(([key]) => key)
  }

  get size(): number {
    return this.#uses.size
  }
}
