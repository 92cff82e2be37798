import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "../../src/api";
import { ownProvider } from "../../src/cli/stack-runs/providers";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-token-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const TOKEN = "secret-token-1234";

function fileOf(mode: number): string {
  const file = path.join(folder, "token");
  writeFileSync(file, TOKEN);
  chmodSync(file, mode);
  return file;
}

const environment = (mode: number, CI?: string) => ({
  STEWARD_BASE_URL: "https://git.example.com",
  STEWARD_TOKEN_FILE: fileOf(mode),
  CI,
});
const warningsOf = (mode: number, CI?: string) => createClient({ env: environment(mode, CI) }).warnings;

describe("the file of the token", () => {
  test.each([0o600, 0o400, 0o700])("a token file with the mode %o is read without a warning", (mode) => {
    expect(warningsOf(mode)).toEqual([]);
  });

  test.each([0o622, 0o660, 0o666, 0o602])(
    "a token file with the mode %o is refused, because other users can write it",
    (mode) => {
      expect(() => warningsOf(mode)).toThrow(
        expect.objectContaining({
          code: "token_file_permissions",
          message: expect.stringContaining("other users of this machine can write it"),
        }),
      );
      expect(() => warningsOf(mode)).not.toThrow(TOKEN);
    },
  );

  test.each([0o644, 0o640, 0o604])(
    "a token file with the mode %o is read with a warning, because other users can read it",
    (mode) => {
      expect(warningsOf(mode)).toEqual([
        expect.objectContaining({
          code: "token_file_permissions",
          detail: expect.stringContaining(`chmod 600 ${folder}`),
        }),
      ]);
    },
  );

  test("in CI, a token file that other users can write is read with a warning", () => {
    expect(warningsOf(0o666, "true")).toEqual([
      expect.objectContaining({ summary: "Other users can write the token file" }),
    ]);
  });

  test("if a token is given, the client does not read the token file", () => {
    const env = { ...environment(0o666), STEWARD_TOKEN: TOKEN };
    expect(createClient({ env: { ...env, STEWARD_TOKEN_FILE: undefined } }).warnings).toEqual([]);
    expect(createClient({ env, token: TOKEN }).warnings).toEqual([]);
  });

  test("all stacks of a run together print one warning about the token file", async () => {
    const provider = ownProvider({ env: environment(0o644) });
    const configured = [provider.configure({}, {}), provider.configure({}, {})];
    expect(configured.map(({ diagnostics }) => diagnostics.length)).toEqual([1, 0]);
    for (const { provider: one } of configured) await one?.close();
  });
});
