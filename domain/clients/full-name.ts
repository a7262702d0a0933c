/** Visitors may not know what POA stands for. */
export const fullName = (name: string) => name.replace(/\bPOA\b/, 'Property Owners’ Association')
