/** What clients can be sorted by: names from A on, everything else beginning with the most or the newest. */
export const clientSorts = ['name', 'incidents', 'changed', 'size'] as const
export type ClientSort = (typeof clientSorts)[number]
