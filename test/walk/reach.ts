import type { Control } from './eyes.ts'

/** Which controls a walk has met, and how often it has used each. */
export class Reach {
  readonly #uses = new Map<string, number>()

  saw(screen: string, controls: readonly Control[]) {
    for (const { place } of controls) {
      const key = `${screen} ${place}`
      if (!this.#uses.has(key)) this.#uses.set(key, 0)
    }
  }

  used(screen: string, { place }: Control) {
    const key = `${screen} ${place}`
    this.#uses.set(key, (this.#uses.get(key) ?? 0) + 1)
  }

  usesOf(screen: string, { place }: Control): number {
    return this.#uses.get(`${screen} ${place}`) ?? 0
  }

  get unused(): string[] {
    return [...this.#uses].filter(([, uses]) => uses === 0).map(([key]) => key)
  }

  get size(): number {
    return this.#uses.size
  }
}
