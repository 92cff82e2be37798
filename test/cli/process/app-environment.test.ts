import { usePlace } from "../support/place";

const SECRETS = {
  STEWARD_TOKEN: "token-of-the-run",
  STEWARD_COMMENT_TOKEN: "token-of-the-comment",
  STEWARD_WEBHOOK_URL: "https://chat.example/secret",
  TF_HTTP_PASSWORD: "password-of-the-state",
  CI_JOB_TOKEN: "token-of-the-job",
};

/** An app without stacks that writes its environment into a file. */
const APP = `
  const { mkdirSync, writeFileSync } = require("node:fs");
  writeFileSync("environment.json", JSON.stringify(process.env));
  mkdirSync(process.env.CDKTF_OUTDIR, { recursive: true });
  writeFileSync(process.env.CDKTF_OUTDIR + "/manifest.json", JSON.stringify({ version: "0.21.0", stacks: {} }));
`;

describe("the environment of the app", () => {
  const place = usePlace("each");

  const synthesize = async (settings: object, env: Record<string, string> = {}) => {
    place.write("app.js", APP);
    place.write("cdktf.json", { app: "node app.js", ...settings });
    const ended = await place.run(["synth"], { ...SECRETS, ...env });
    return { ...ended, seen: JSON.parse(place.read("environment.json")) as Record<string, string> };
  };

  test("Steward passes all environment variables on to the app except tokens and passwords", async () => {
    const { seen } = await synthesize({}, { STAGE: "production" });
    for (const [name, secret] of Object.entries(SECRETS)) {
      expect(seen).not.toHaveProperty(name);
      expect(Object.values(seen)).not.toContain(secret);
    }
    expect(seen).toMatchObject({ STAGE: "production", STEWARD_BASE_URL: place.service.url });
  });

  test("if appEnvironment in cdktf.json contains STEWARD_TOKEN, Steward passes this token on to the app and no other token", async () => {
    const { seen } = await synthesize({ appEnvironment: ["STEWARD_TOKEN"] });
    expect(seen).toMatchObject({ STEWARD_TOKEN: SECRETS.STEWARD_TOKEN });
    expect(seen).not.toHaveProperty("STEWARD_COMMENT_TOKEN");
  });

  test("if appEnvironment in cdktf.json is not a list of names, the run reports an error", async () => {
    place.write("cdktf.json", { app: "node app.js", appEnvironment: "STEWARD_TOKEN" });
    const { code, err } = await place.run(["synth"]);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('"appEnvironment" is not a list of names of environment variables'),
    });
  });

  test("if STEWARD_WAIVE is set, synth warns that it ignores the variable", async () => {
    const { seen, err } = await synthesize(
      { appEnvironment: ["STEWARD_WAIVE"] },
      { STEWARD_WAIVE: JSON.stringify({ rule: "two approvals", reason: "none" }) },
    );
    expect(seen).not.toHaveProperty("STEWARD_WAIVE");
    expect(err).toContain("STEWARD_WAIVE is ignored. Accept a rule for one run with --waive RULE");
  });
});
