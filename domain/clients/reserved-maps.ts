/** The viewer's 50 features (section 3, 'Feature'); it belongs to no client. */
export const sampleMapId = 'sample'

/** Where the specification's default configuration looks (section 3), and so the default client. */
export const defaultClientLocation = { lat: 34.05, lng: -111.09 } as const
