/** Returns the address of a gateway to connect to; 0.0.0.0 and [::] are only addresses to listen on. */
export function reachable(url: string): string {
  return url.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]').replace(/\/$/, '')
}
