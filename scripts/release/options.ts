import { parseArgs } from "node:util";
import { NODE_PACKAGES } from "./node-release";
import type { Key } from "./sign";

export interface ReleaseOptions {
  readonly platforms: readonly string[];
  /** The target folder. If undefined, the folder is `dist/release`. */
  readonly out: string | undefined;
  readonly key: Key | undefined;
}

const ALL = Object.keys(NODE_PACKAGES);

export const USAGE = `Writes a release to dist/release: the command as one file for each platform, and the files for a provider registry.

  npm run release [-- OPTIONS]

  --platform OS_ARCH   one of ${ALL.join(", ")}; may be given more than once (default: all)
  --gpg-key KEY        sign with this key of the keyring, by its fingerprint (default: the variable GPG_KEY)
  --key FILE           sign with the secret key in this file
  --out DIR            write to this folder

GPG_PASSPHRASE holds the passphrase of the key where no agent of gpg knows it.
`;

/**
 * Reads the options of a release.
 * @throws Error if an option is unknown or has an impossible value
 */
export function readOptions(words: readonly string[], env: NodeJS.ProcessEnv): ReleaseOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      platform: { type: "string", multiple: true },
      "gpg-key": { type: "string" },
      key: { type: "string" },
      out: { type: "string" },
    },
  });
  const platforms = values.platform ?? ALL;
  const unknown = platforms.find((platform) => !ALL.includes(platform));
  if (unknown !== undefined)
    throw new Error(`There is no Node for ${unknown}: choose from ${ALL.join(", ")}.`);
  return { platforms: [...new Set(platforms)], out: values.out, key: keyOf(values, env) };
}

function keyOf(
  {
    key: file,
    "gpg-key": named,
  }: { readonly key?: string | undefined; readonly "gpg-key"?: string | undefined },
  env: NodeJS.ProcessEnv,
): Key | undefined {
  if (file !== undefined && named !== undefined) throw new Error("Give --key or --gpg-key, not both.");
  if (file !== undefined) return { file };
  // If a pipeline does not have the secret for the key, the variable is an empty text.
  const fingerprint = named ?? (env["GPG_KEY"] || undefined);
  return fingerprint === undefined ? undefined : { fingerprint };
}
