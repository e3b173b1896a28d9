/** The platforms of a release: the names of the same machine at Node, Debian, OCI, the C library and in ELF headers. */
export const platforms = {
  x64: { name: 'linux-x64', cpu: 'x64', debian: 'amd64', oci: 'amd64', library: 'x86_64-linux-gnu', elf: 62 },
  arm64: { name: 'linux-arm64', cpu: 'arm64', debian: 'arm64', oci: 'arm64', library: 'aarch64-linux-gnu', elf: 183 },
};
