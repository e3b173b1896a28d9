import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/**
 * Runs a shell script in a root file system, with its own process table and its own network, which has only a loopback interface.
 * With `image`, the script runs as the user and in the environment of the image, and the root is read-only except /data and an
 * empty /tmp. Resolves to the exit status, the printed lines and the errors.
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
  // PATH is set inside the script, because `chroot` itself has to be found with the PATH of this machine.
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
