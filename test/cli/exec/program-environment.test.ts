import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { programEnvironment } from "../../../src/cli/commands/terraform";

const OWN = '{"registry.steward.example/steward/steward":{"Pid":1}}';
const TOKEN = "secret-token-1234";

const namesIn = (env: Record<string, string | undefined>) =>
  Object.keys(programEnvironment(env, OWN)).filter((name) => name !== "TF_REATTACH_PROVIDERS");
const reattached = (env: Record<string, string>) =>
  JSON.parse(programEnvironment(env, OWN)["TF_REATTACH_PROVIDERS"]!);

describe("the environment of a program that steward exec starts", () => {
  test("steward exec removes each environment variable that contains the token of STEWARD_TOKEN", () => {
    const env = {
      STEWARD_TOKEN: `${TOKEN}\n`,
      STEWARD_BASE_URL: "https://steward.example",
      READ_TOKEN: TOKEN,
      REMOTE: `https://bot:${TOKEN}@steward.example/x.git`,
      HOME: "/root",
    };
    expect(namesIn(env)).toEqual(["STEWARD_BASE_URL", "HOME"]);
  });

  test("steward exec removes each environment variable with the token in STEWARD_TOKEN_FILE or with this file's path", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "steward-exec-"));
    const file = path.join(folder, "token");
    writeFileSync(file, `${TOKEN}\n`);
    expect(namesIn({ STEWARD_TOKEN_FILE: file, SECRET_FILE: file, COPY: TOKEN, HOME: folder })).toEqual([
      "HOME",
    ]);
    rmSync(folder, { recursive: true });
  });

  test("steward exec passes Terraform's variables on, such as TF_HTTP_PASSWORD, even if they contain the token", () => {
    expect(namesIn({ STEWARD_TOKEN: TOKEN, TF_HTTP_PASSWORD: TOKEN, TF_VAR_token: TOKEN })).toEqual([
      "TF_HTTP_PASSWORD",
      "TF_VAR_token",
    ]);
  });

  test("steward exec removes STEWARD_COMMENT_TOKEN and STEWARD_WEBHOOK_URL, and passes CI_JOB_TOKEN on", () => {
    const env = {
      STEWARD_COMMENT_TOKEN: "other",
      STEWARD_WEBHOOK_URL: "https://chat.example/x",
      CI_JOB_TOKEN: "job",
    };
    expect(namesIn(env)).toEqual(["CI_JOB_TOKEN"]);
  });

  test('if the token is "no", steward exec does not remove PATH=/node/bin', () => {
    expect(namesIn({ STEWARD_TOKEN: "no", PATH: "/node/bin", SAME: "no" })).toEqual(["PATH"]);
  });

  test("if STEWARD_TOKEN is empty, steward exec passes all other variables on to the program", () => {
    expect(namesIn({ STEWARD_TOKEN: "", EMPTY: "", HOME: "/root", UNSET: undefined })).toEqual([
      "EMPTY",
      "HOME",
    ]);
  });

  test("steward exec adds this provider to TF_REATTACH_PROVIDERS, and keeps other providers there", () => {
    expect(reattached({ TF_REATTACH_PROVIDERS: "" })).toEqual(JSON.parse(OWN));
    const others = {
      "registry.steward.example/steward/steward": { Pid: 2 },
      "flags.example/acme/flags": { Protocol: "grpc", Addr: { String: "/tmp/flags.sock" } },
    };
    expect(reattached({ TF_REATTACH_PROVIDERS: JSON.stringify(others) })).toEqual({
      ...others,
      ...JSON.parse(OWN),
    });
  });

  test.each(["[", "[]", '"x"', '{"a":1}', "null"])(
    "steward exec refuses the invalid value TF_REATTACH_PROVIDERS=%s",
    (text) => {
      expect(() => programEnvironment({ TF_REATTACH_PROVIDERS: text }, OWN)).toThrow(
        expect.objectContaining({ diagnostics: [expect.objectContaining({ code: "reattach_invalid" })] }),
      );
    },
  );
});
