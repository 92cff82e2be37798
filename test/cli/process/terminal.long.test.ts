import { describeWith } from "../../support/capabilities";
import { onTerminal } from "../support/on-terminal";
import { openPlace, type Place } from "../support/place";
import { refusingProxy } from "../support/refusing-proxy";

const ESCAPE = "\u001b[";
const YELLOW_WAVE = `${ESCAPE}33m~`;

describeWith("python", "on a terminal", (python) => {
  let place: Place;
  beforeAll(async () => {
    place = await openPlace();
  });
  afterAll(() => place.close());

  const run = (answer: string, args: readonly string[], env: Record<string, string> = {}) =>
    onTerminal(python, args, { folder: place.folder, env: { ...place.env, ...env }, answer });

  const HERE = ["--config", "."];

  test.each([
    ["no", "not yes"],
    ["y", "abbreviated yes"],
    ["", "end of input"],
  ])("only the reply yes approves an apply: after %j (%s), nothing changes", async (answer) => {
    const { code, shown } = await run(answer, ["apply", ...HERE]);
    expect(code).toBe(1);
    expect(shown).toContain("Only 'yes' will be accepted");
    expect(shown).toContain("Not approved: nothing was changed.");
    expect((await place.run(["plan", ...HERE])).out).toContain("Plan: 3 to add, 0 to change, 0 to destroy.");
  });

  test("on a terminal, apply prints a coloured plan before it asks for approval", async () => {
    const { code, shown } = await run("yes", ["apply", ...HERE]);
    expect(code).toBe(0);
    expect(shown).toContain(`${ESCAPE}32m+`);
    expect(shown).toContain("Enter a value:");
    expect(shown).toContain("Apply complete! Resources: 3 added, 0 changed, 0 destroyed.");
    // The command overwrites the last line instead of adding lines.
    expect(shown).toContain(`\r${ESCAPE}2KWorking...`);
  });

  test("on a terminal, plan prints no colours with NO_COLOR or with --no-color", async () => {
    await place.byHand("PATCH", "/projects/1/job_token_scope", { enabled: false });
    expect((await run("", ["plan", ...HERE])).shown).toContain(YELLOW_WAVE);
    const plain = [
      await run("", ["plan", "--no-color", ...HERE]),
      await run("", ["plan", ...HERE], { NO_COLOR: "1" }),
    ];
    for (const { shown } of plain) {
      expect(shown).toContain("  ~ inbound_enabled = false -> true".trim());
      expect(shown).not.toContain(YELLOW_WAVE);
    }
  });

  test("on a terminal, apply escapes control characters in names in the plan and the progress", async () => {
    const name = "evil\u001b]0;PWNED\u0007\u009b2J\r\n::error::PWNED";
    place.write("evil/main.tf.json", {
      terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
      provider: { steward: [{}] },
      resource: {
        steward_protected_environment: {
          evil: {
            for_each: { [name]: name },
            project: "acme/docs",
            name,
            deploy_access_levels: [{ access_level: 40 }],
          },
        },
      },
    });
    const { code, shown } = await run("yes", ["apply", "--config", "evil"]);
    expect({ code, shown }).toMatchObject({ code: 0 });
    expect(shown).toContain("evil\\u001b]0;PWNED\\u0007\\u009b2J\\r\\n::error::PWNED");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters that must not be printed.
    expect(shown.match(/\u001b\]|[\u0007\u0085\u009b]|^\s*::/gm)).toBeNull();
  });

  test("on a terminal, the progress line counts down a wait for the rate limit", async () => {
    const proxy = await refusingProxy(place.service.url);
    const { code, shown } = await run("", ["plan", ...HERE], { STEWARD_BASE_URL: proxy.url });
    proxy.close();
    expect(code).toBe(0);
    expect(shown).toContain("Waiting 2s: the service refused a request.");
    // The last line counts the wait down. The last line also shows the progress and the number of requests.
    expect(shown).toContain("Waiting 1s: the service refused a request.");
    expect(shown).toMatch(/Reading objects\.\.\. \d of \d, \d requests?/);
  });

  test("apply --json without --auto-approve fails on a terminal and does not ask for approval", async () => {
    const { code, shown } = await run("yes", ["apply", "--json", ...HERE]);
    expect(code).toBe(1);
    expect(shown).toContain('"code":"approval_needed"');
  });
});
