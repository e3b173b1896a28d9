/** What a lockfile lists and another, of what is installed, does not hold in that very form. */
export function missingPackages(listed, installed, { production }) {
  return Object.entries(listed)
    .filter(([path, { version, integrity, optional, dev }]) => {
      if (path === '') return false;
      const found = installed[path];
      if (found) return found.version !== version || found.integrity !== integrity;
      return !optional && !(production && dev);
    })
    .map(([path]) => path);
}
