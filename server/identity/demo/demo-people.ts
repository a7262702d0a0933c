export type DemoPerson = {
  id: string
  name: string
  may: string
  roles: readonly string[]
}

export const demoPeople: readonly DemoPerson[] = [
  {
    id: 'grace',
    name: 'Grace Whitfield',
    may: 'Administrator: all maps and clients',
    roles: ['administrator'],
  },
  {
    id: 'daniel',
    name: 'Daniel Okafor',
    may: 'Manager of Pine Ridge: features and configuration',
    roles: ['manager:pine-ridge'],
  },
  {
    id: 'rosa',
    name: 'Rosa Delgado',
    may: 'Editor of Pine Ridge: features and drawings',
    roles: ['editor:pine-ridge'],
  },
  { id: 'tom', name: 'Tom Brandt', may: 'No role: view only', roles: [] },
]

export const demoPassword = 'demo'

export function findDemoPerson(id: unknown): DemoPerson | undefined {
  return demoPeople.find((person) => person.id === id)
}
