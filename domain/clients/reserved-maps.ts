/** The viewer's 50 features (section 3, 'Feature'), without a client. */
export const sampleMapId = 'sample'

/** The sample association at the default location: the map at `/`. */
export const defaultClientId = 'pine-ridge'

/** Section 3 of the specification. */
export const defaultClientLocation = { lat: 34.05, lng: -111.09 } as const
