import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/**
 * Runs a shell script in a root file system, with a process table and a network of its own in which only this machine itself
 * can be reached. `image` is the process of an image: it runs as its user in its environment, on a root that cannot be written
 * except for /data, which belongs to the image's user, and an empty /tmp. Resolves to the printed lines.
 */
export async function isolated(root, script, image) {
  const setUp = [
    'ip link set lo up',
    `mount --bind ${root} ${root}`,
    `mount --rbind /dev ${root}/dev`,
    `mount -t proc proc ${root}/proc`,
    ...(image ? [`mount --bind ${root}/data ${root}/data`, `mount -t tmpfs tmpfs ${root}/tmp`] : []),
    ...(image ? [`mount -o remount,bind,ro ${root}`] : []),
  ].join(' && ');
  const user = image ? `--userspec=${image.user.uid}:${image.user.gid}` : '--userspec=0:0';
  const own = Object.fromEntries((image?.env ?? []).map((entry) => entry.split(/=(.*)/s, 2)));
  // This machine's own PATH finds chroot.
  const inside = `PATH=${own.PATH ?? '/usr/bin:/bin'}; ${script}`;
  const child = spawn(
    'unshare',
    ['--net', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', `${setUp} && exec chroot "$@"`, 'sh'].concat([
      user,
      root,
      '/bin/sh',
      '-euc',
      inside,
    ]),
    { env: { ...own, PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [output, errors, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ]);
  return { status, lines: output.split('\n'), errors };
}
