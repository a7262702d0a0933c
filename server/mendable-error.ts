/** A problem that whoever runs the program can do something about: its message says what, and needs no stack. */
export class MendableError extends Error {}
