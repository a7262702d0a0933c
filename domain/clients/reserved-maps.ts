/** The viewer's 50 features (section 3, 'Feature'), without a client. */
export const sampleMapId = 'sample'

/** The default client of the specification (section 3). */
export const defaultClientLocation = { lat: 34.05, lng: -111.09 } as const
