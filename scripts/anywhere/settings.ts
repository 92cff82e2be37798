import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { installNode } from "./node-release";
import { findProgram, missingProgram } from "./programs";
import type { Environment, Place, Setting } from "./setting";
import { handOver, missingUser, userPrefix } from "./user";

const BUSY_PER_CORE = 2;
const MINIMAL = ["node", "npm", "git", "sh"];

/** Creates a folder in the folder of a setting, and returns its path. */
function folderOf({ folder }: Place, name: string): string {
  const made = path.join(folder, name);
  mkdirSync(made, { recursive: true });
  return made;
}

/** Makes a setting that uses one release of Node: its programs come first on the PATH. */
const nodeRelease = (release: string): Setting => ({
  name: `node-${release}`,
  title: `Node ${release}`,
  prepare(place) {
    const programs = installNode(place, release);
    return { env: { ...place.env, PATH: `${programs}${path.delimiter}${place.env["PATH"]}` } };
  },
});

/**
 * Makes a setting that runs the commands as an ordinary user with a new home. `prepareHome` returns additional
 * variables for the commands.
 */
const asUser = (
  setting: Pick<Setting, "name" | "title">,
  prepareHome: (home: string, place: Place) => Environment,
): Setting => ({
  ...setting,
  missing: missingUser,
  prepare(place, checkout) {
    const home = folderOf(place, "home");
    const env = { ...place.env, HOME: home, ...prepareHome(home, place) };
    handOver(place.folder, home, checkout);
    return { env, prefix: userPrefix() };
  },
});

export const SETTINGS: readonly Setting[] = [
  asUser({ name: "user", title: "ordinary user, empty home" }, () => ({})),
  asUser({ name: "read-only-home", title: "ordinary user, read-only home" }, (home, place) => {
    chmodSync(home, 0o555);
    // npm itself does not run without a writable cache, so its cache is outside the read-only home.
    return { npm_config_cache: folderOf(place, "npm-cache") };
  }),
  {
    name: "minimal-path",
    title: "only node, npm, git and a shell on the PATH",
    prepare(place) {
      const programs = folderOf(place, "programs");
      for (const name of MINIMAL) symlinkSync(findProgram(name)!, path.join(programs, name));
      return { env: { ...place.env, PATH: programs } };
    },
  },
  {
    name: "one-core",
    title: "one core",
    missing: () => missingProgram("taskset"),
    prepare: ({ env }) => ({ env, prefix: ["taskset", "-c", "0"] }),
  },
  {
    name: "busy",
    title: "next to two busy processes per core",
    prepare({ env }) {
      const busy = Array.from({ length: BUSY_PER_CORE * availableParallelism() }, () =>
        spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
      );
      return {
        env,
        close() {
          for (const child of busy) child.kill();
        },
      };
    },
  },
  ...["20", "22", "24"].map(nodeRelease),
  {
    name: "tmpdir",
    title: "`TMPDIR` on disk, with a space in its name",
    prepare: (place) => ({ env: { ...place.env, TMPDIR: folderOf(place, "temporary files") } }),
  },
  {
    name: "locale",
    title: "`TZ=Asia/Kathmandu`, `LC_ALL=C`",
    prepare: ({ env }) => ({ env: { ...env, TZ: "Asia/Kathmandu", LC_ALL: "C" } }),
  },
  {
    name: "umask",
    title: "`umask 077`",
    prepare: ({ env }) => ({ env, prefix: ["sh", "-c", 'umask 077; exec "$@"', "sh"] }),
  },
  { name: "no-ci", title: "no variable `CI`", prepare: ({ env }) => ({ env }) },
  { name: "ci", title: "`CI=true`", prepare: ({ env }) => ({ env: { ...env, CI: "true" } }) },
  {
    name: "path",
    title: "checkout with a space and an umlaut in its path",
    checkout: "Söme Checkout",
    prepare: ({ env }) => ({ env }),
  },
  {
    name: "shallow",
    title: "shallow clone",
    source: "shallow clone",
    prepare: ({ env }) => ({ env }),
  },
  {
    name: "no-git",
    title: "copy without `.git`",
    source: "copy without .git",
    prepare: ({ env }) => ({ env }),
  },
];
