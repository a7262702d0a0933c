export const clientSorts = ['name', 'incidents', 'changed', 'size'] as const
export type ClientSort = (typeof clientSorts)[number]
