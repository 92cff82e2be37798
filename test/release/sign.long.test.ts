import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sign } from "../../scripts/release/sign";
import { describeWith } from "../support/capabilities";

describeWith("gpg", "signing the checksums of a release", (program) => {
  // The folder has a short name, because the path of gpg's socket must be short.
  const home = mkdtempSync(path.join(tmpdir(), "gpg-"));
  const checksums = path.join(home, "SHA256SUMS");
  const secret = path.join(home, "secret.asc");
  const PASSPHRASE = "a passphrase of the key";
  const env = { PATH: process.env["PATH"], GNUPGHOME: home, GPG_PASSPHRASE: PASSPHRASE };
  const gpg = (...args: readonly string[]) =>
    execFileSync(program, ["--batch", "--pinentry-mode", "loopback", "--passphrase", PASSPHRASE, ...args], {
      encoding: "utf8",
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
  let fingerprint: string;

  beforeAll(() => {
    writeFileSync(checksums, "0  file\n");
    gpg("--quick-generate-key", "Release <release@example.com>", "ed25519", "sign", "never");
    fingerprint = /^fpr:+([0-9A-F]+):$/m.exec(gpg("--with-colons", "--list-keys"))![1]!;
    writeFileSync(secret, gpg("--armor", "--export-secret-keys", fingerprint));
  });
  afterEach(() => rmSync(`${checksums}.sig`, { force: true }));
  afterAll(() => {
    execFileSync("gpgconf", ["--homedir", home, "--kill", "all"]);
    rmSync(home, { recursive: true });
  });

  /** Returns the signer that gpg reports when it verifies the signature. */
  const verified = () => {
    const status = gpg("--status-fd", "1", "--verify", `${checksums}.sig`, checksums);
    return /VALIDSIG (\S+)/.exec(status)![1];
  };

  test("signing with a key file writes a binary signature without creating a keyring in the user's folder", () => {
    const elsewhere = { ...env, GNUPGHOME: path.join(home, "none") };
    expect(sign(checksums, { file: secret }, elsewhere)).toBe(fingerprint);
    expect(existsSync(elsewhere.GNUPGHOME)).toBe(false);
    expect(readFileSync(`${checksums}.sig`).toString("latin1")).not.toContain("BEGIN PGP");
    expect(verified()).toBe(fingerprint);
  });

  test("signing by a fingerprint replaces an earlier signature", () => {
    writeFileSync(`${checksums}.sig`, "of an earlier release");
    expect(sign(checksums, { fingerprint }, env)).toBe(fingerprint);
    expect(verified()).toBe(fingerprint);
  });

  test.each([
    [
      "a fingerprint that the keyring does not have",
      () => ({ fingerprint: "0".repeat(40) }),
      /No secret key/,
    ],
    ["a file without a secret key", () => ({ file: checksums }), /gpg failed/],
    ["a file that is missing", () => ({ file: path.join(home, "none.asc") }), /gpg failed: .*none\.asc/s],
  ])("signing fails with gpg's message for %s", (_what, key, message) => {
    expect(() => sign(checksums, key(), env)).toThrow(message);
  });

  test("signing fails with a wrong passphrase", () => {
    const wrong = { ...env, GPG_PASSPHRASE: "wrong" };
    expect(() => sign(checksums, { file: secret }, wrong)).toThrow(/gpg failed/);
  });

  test("if the program gpg is missing, the error says that signing needs gpg", () => {
    expect(() => sign(checksums, { fingerprint }, { ...env, PATH: "" })).toThrow(
      "Signing needs the program gpg",
    );
  });
});
