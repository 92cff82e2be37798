import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { secretsOf } from "../../../src/cli/terminal/redact";

describe("sensitive values in the output", () => {
  test('output shows "(sensitive value)" instead of the token in STEWARD_TOKEN', () => {
    const secrets = secretsOf({ STEWARD_TOKEN: "tok-12345678" });
    expect(secrets.redactText("a tok-12345678 b tok-12345678")).toBe(
      "a (sensitive value) b (sensitive value)",
    );
  });

  test("output never contains the token in the file of STEWARD_TOKEN_FILE", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "steward-redact-"));
    const file = path.join(folder, "token");
    writeFileSync(file, "from-a-file-123\n");
    expect(secretsOf({ STEWARD_TOKEN_FILE: file }).redactText("x from-a-file-123 y")).toBe(
      "x (sensitive value) y",
    );
    rmSync(folder, { recursive: true });
  });

  test("output never contains the password in TF_HTTP_PASSWORD", () => {
    expect(
      secretsOf({ TF_HTTP_PASSWORD: "pass-12345678" }).redactText("TF_HTTP_PASSWORD=pass-12345678"),
    ).toBe("TF_HTTP_PASSWORD=(sensitive value)");
  });

  test('without a token, with a missing token file or with the short token "no", output is unchanged', () => {
    const text = "no change";
    for (const env of [{}, { STEWARD_TOKEN: "no" }, { STEWARD_TOKEN_FILE: "/nowhere/token" }]) {
      expect(secretsOf(env).redactText(text)).toBe(text);
    }
  });
});
