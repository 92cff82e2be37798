import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The key that signs: a key of the keyring, by its fingerprint, or the key in a file. */
export type Key = { readonly fingerprint: string } | { readonly file: string };

/**
 * Signs a file with gpg. Writes the binary signature to `FILE.sig`, and verifies it. This script never reads keys of
 * the keyring. Only gpg uses these keys, and gpg's agent can have them on a card. The passphrase is in the variable
 * `GPG_PASSPHRASE`, if it is set.
 * @returns the fingerprint of the key that signed
 * @throws Error if gpg is missing, or does not have the key
 */
export function sign(file: string, key: Key, env: NodeJS.ProcessEnv = process.env): string {
  // A key in a file gets a temporary keyring, so that the user's keyring stays as it is. The keyring is in the
  // temporary folder, because the path of gpg's socket must be short.
  const home = "file" in key ? mkdtempSync(path.join(tmpdir(), "gpg-")) : undefined;
  const gpg = gpgOf(home, env);
  try {
    if ("file" in key) gpg(["--import", path.resolve(key.file)]);
    const fingerprint = "file" in key ? secretKeyIn(gpg) : key.fingerprint;
    const signature = `${file}.sig`;
    gpg(["--yes", "--no-armor", "--local-user", fingerprint, "--output", signature, "--detach-sign", file]);
    const status = gpg(["--status-fd", "1", "--verify", signature, file]);
    const [, signer] = /^\[GNUPG:\] VALIDSIG (\S+)/m.exec(status) ?? [];
    if (signer === undefined) throw new Error(`gpg does not verify ${signature}:\n${status}`);
    return signer;
  } finally {
    if (home !== undefined) {
      execFileSync("gpgconf", ["--homedir", home, "--kill", "all"], { stdio: "ignore" });
      rmSync(home, { recursive: true, force: true });
    }
  }
}

type Gpg = (args: readonly string[]) => string;

function gpgOf(home: string | undefined, env: NodeJS.ProcessEnv): Gpg {
  const passphrase = env["GPG_PASSPHRASE"];
  const common = [
    "--batch",
    ...(home === undefined ? [] : ["--homedir", home]),
    ...(passphrase === undefined ? [] : ["--pinentry-mode", "loopback", "--passphrase-fd", "0"]),
  ];
  return (args) => {
    try {
      return execFileSync("gpg", [...common, ...args], {
        encoding: "utf8",
        env,
        input: passphrase ?? "",
        stdio: ["pipe", "pipe", "pipe"],
      });
    } catch (problem) {
      const { code, stderr, message } = problem as NodeJS.ErrnoException & { stderr?: string };
      if (code === "ENOENT")
        throw new Error("Signing needs the program gpg, which is not in the folders of PATH.");
      throw new Error(`gpg failed: ${stderr?.trim() || message}`);
    }
  };
}

/** Returns the fingerprint of the only secret key in a keyring. */
function secretKeyIn(gpg: Gpg): string {
  const lines = gpg(["--with-colons", "--list-secret-keys"]).split("\n");
  const keys = lines.flatMap((line, at) =>
    line.startsWith("sec:")
      ? (lines
          .slice(at)
          .find((next) => next.startsWith("fpr:"))
          ?.split(":")[9] ?? [])
      : [],
  );
  if (keys.length !== 1) throw new Error(`The file of --key has ${keys.length} secret keys; give one.`);
  return keys[0]!;
}
