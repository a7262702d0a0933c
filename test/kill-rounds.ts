/** How often a test kills a server. `KILL_ROUNDS=20 npm test -- unit server/files/kill` raises it. */
export const killRounds = (usual: number) => Number(process.env.KILL_ROUNDS ?? usual)
