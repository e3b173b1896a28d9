/** An address as the router can take it apart: one that cannot be decoded stands for itself, and so names nothing. */
export function decodable(url: string): string {
  if (!url.includes('%')) return url;
  try {
    decodeURIComponent(url);
    return url;
  } catch {
    return url.replaceAll('%', '%25');
  }
}
