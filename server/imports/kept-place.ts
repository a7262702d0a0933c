/** Stands for the geometry of a staged row that says no place, until it gets the one that its feature has. */
export const keptPlace = 'null'
