import type { LatLng } from '#domain/geometry/geometry.schema.ts'

export type DeviceLocation = LatLng & { accuracyMeters: number }

type Receiver = { onLocation(location: DeviceLocation): void; onProblem(problem: string): void }

const options = { enableHighAccuracy: true, timeout: 20_000, maximumAge: 5_000 }

const refusal = 'Your browser does not share your location with this site. Allow it in the site settings.'

function explain({ code, PERMISSION_DENIED, TIMEOUT }: GeolocationPositionError): string {
  if (code === PERMISSION_DENIED) return refusal
  return code === TIMEOUT
    ? 'Your device took too long to find its location. Try again outdoors.'
    : 'Your device could not find its location. Check that location services are on.'
}

function listener({ onLocation, onProblem }: Receiver) {
  const onFix: PositionCallback = ({ coords: { latitude, longitude, accuracy } }) =>
    onLocation({ lat: latitude, lng: longitude, accuracyMeters: accuracy })
  return [onFix, (error: GeolocationPositionError) => onProblem(explain(error)), options] as const
}

/** Browsers share locations with secure pages only. */
const isOffered = () => window.isSecureContext && 'geolocation' in navigator

/** Calls `onLocation` whenever the device has moved. Returns a function that stops it. */
export function watchDeviceLocation(receiver: Receiver): () => void {
  if (!isOffered()) {
    receiver.onProblem(refusal)
    return () => {}
  }
  const watch = navigator.geolocation.watchPosition(...listener(receiver))
  return () => navigator.geolocation.clearWatch(watch)
}

export function readDeviceLocation(receiver: Receiver): void {
  if (isOffered()) navigator.geolocation.getCurrentPosition(...listener(receiver))
  else receiver.onProblem(refusal)
}
