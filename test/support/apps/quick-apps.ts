import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Returns a script that replaces `node` for commands. The script sends apps to the process that listens on the socket,
 * and runs everything else with Node.
 */
const node = (socket: string): string => `#!/bin/sh
if [ "$1 $2" = "--import tsx" ] && [ $# -eq 3 ]; then
  answer=$({ printf '%s\\0' "$PWD" "$3"; env -0; } | curl --silent --data-binary @- --unix-socket '${socket}' http://apps)
  case $answer in
    ok) exit 0 ;;
    ok*) printf '%s\\n' "\${answer#ok}"; exit 0 ;;
    failed*) printf '%s\\n' "\${answer#failed}" >&2; exit 1 ;;
  esac
fi
exec '${process.execPath}' "$@"
`;

/**
 * Returns a script that replaces `npx` for commands. If steward is installed next to the app, the script starts it directly.
 * npx would only search for it, which takes longer than most commands.
 */
const npx = (folder: string): string => `#!/bin/sh
if [ "$1" = steward ] && [ -x node_modules/.bin/steward ]; then
  shift
  exec node_modules/.bin/steward "$@"
fi
PATH="\${PATH#${folder}:}" exec npx "$@"
`;

/**
 * Runs all apps that the commands of a suite start with `node --import tsx FILE` in one process, which starts with the suite.
 * Each app then takes only a tenth of the processor time.
 */
export function useQuickApps(): void {
  let folder: string;
  let child: ChildProcess;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "steward-apps-"));
    const socket = path.join(folder, "socket");
    child = fork(path.join(__dirname, "serve-apps.js"), [socket], { execArgv: ["--enable-source-maps"] });
    await once(child, "message");
    for (const [name, text] of Object.entries({ node: node(socket), npx: npx(folder) }))
      writeFileSync(path.join(folder, name), text, { mode: 0o755 });
    // Jest restores the environment when the suite ends.
    process.env["PATH"] = `${folder}${path.delimiter}${process.env["PATH"]}`;
  });
  afterAll(async () => {
    const ended = once(child, "exit");
    child.disconnect();
    await ended;
    rmSync(folder, { recursive: true });
  });
}
