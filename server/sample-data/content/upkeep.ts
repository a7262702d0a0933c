import type { AssetType } from '#domain/assets/asset-types.ts'
import type { OperationalStatus } from '#domain/features/kinds.ts'
import { daysAgo, type Today } from '../calendar.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { troubleTexts, upkeepTexts } from '../texts/upkeep-texts.ts'

/** When an asset was built and what was done to it since, newest first. */
export function sampleUpkeep(type: AssetType, today: Today, random: SeededRandom) {
  const age = random.integer(400, 9_000)
  const texts = random.shuffle(upkeepTexts[type])
  const count = random.pick([0, 1, 2, 2, 3, 3, 4, 5, 6])
  const maintenanceHistory: { date: string; description: string }[] = []
  let ago = random.integer(5, 160)
  for (const description of texts.slice(0, count)) {
    if (ago >= age) break
    maintenanceHistory.push({ date: daysAgo(today, ago), description })
    ago += random.integer(45, 420)
  }
  return {
    installDate: random.chance(0.08) ? null : daysAgo(today, age),
    lastMaintenance: maintenanceHistory[0]?.date ?? null,
    maintenanceHistory,
  }
}

/** Statuses for a number of assets: most work, at least two are in maintenance and two offline. */
export function sampleStatuses(count: number, random: SeededRandom): OperationalStatus[] {
  const statuses = Array.from({ length: count }, (_, index): OperationalStatus => {
    if (index < 2) return 'maintenance'
    if (index < 4) return 'offline'
    const chance = random.next()
    if (chance < 0.1) return 'maintenance'
    return chance < 0.16 ? 'offline' : 'operational'
  })
  return random.shuffle(statuses)
}

/** The description of an asset, with a word on what is wrong where something is. */
export function withTrouble(
  description: string,
  type: AssetType,
  status: OperationalStatus,
  random: SeededRandom,
): string {
  if (status === 'operational') return description
  return `${description} ${random.pick(troubleTexts[status][type])}`
}
