import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { secretsOf } from "../../../src/cli/terminal/redact";

describe("output", () => {
  test("output never contains the token of the environment", () => {
    const secrets = secretsOf({ STEWARD_TOKEN: "tok-12345678" });
    expect(secrets.redactText("a tok-12345678 b tok-12345678")).toBe(
      "a (sensitive value) b (sensitive value)",
    );
  });

  test("output never contains the token of a token file", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "steward-redact-"));
    const file = path.join(folder, "token");
    writeFileSync(file, "from-a-file-123\n");
    expect(secretsOf({ STEWARD_TOKEN_FILE: file }).redactText("x from-a-file-123 y")).toBe(
      "x (sensitive value) y",
    );
    rmSync(folder, { recursive: true });
  });

  test("output never contains the password of the state storage", () => {
    expect(
      secretsOf({ TF_HTTP_PASSWORD: "pass-12345678" }).redactText("TF_HTTP_PASSWORD=pass-12345678"),
    ).toBe("TF_HTTP_PASSWORD=(sensitive value)");
  });

  test("output is unchanged without a token, with a missing file, and for a token that is an ordinary word", () => {
    const text = "no change";
    for (const env of [{}, { STEWARD_TOKEN: "no" }, { STEWARD_TOKEN_FILE: "/nowhere/token" }]) {
      expect(secretsOf(env).redactText(text)).toBe(text);
    }
  });
});
