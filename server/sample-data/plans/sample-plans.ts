import { birchLake } from './birch-lake.ts'
import { cedarHollow } from './cedar-hollow.ts'
import { cypressBend } from './cypress-bend.ts'
import { elkMeadow } from './elk-meadow.ts'
import { huckleberryFlats } from './huckleberry-flats.ts'
import { laurelFork } from './laurel-fork.ts'
import { liveOakCrossing } from './live-oak-crossing.ts'
import { pineRidge } from './pine-ridge.ts'
import type { SamplePlan } from './sample-plan.ts'
import { stoneWallHill } from './stone-wall-hill.ts'
import { wagonCreek } from './wagon-creek.ts'

/** Pine Ridge lies where the default configuration looks. */
export const samplePlans: readonly SamplePlan[] = [
  pineRidge,
  cedarHollow,
  elkMeadow,
  liveOakCrossing,
  huckleberryFlats,
  laurelFork,
  birchLake,
  cypressBend,
  stoneWallHill,
  wagonCreek,
]
