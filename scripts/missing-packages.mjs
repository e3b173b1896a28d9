/** Paths of the packages in a lockfile that are not installed in the same version with the same integrity hash. */
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
