/** Files are uploaded in pieces of at most this size. No schema library: the service worker needs it. */
export const maxPieceBytes = 5 * 1024 * 1024
