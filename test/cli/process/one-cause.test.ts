import { TOKENS, usePlace } from "../support/place";

// An error with one cause is shown once to people, and per object to programs.

const place = usePlace("all");

const COUNT = 30;
/** Container protection rules: any number of objects in one project. */
const declare = (project: string): void => {
  const rules = Array.from({ length: COUNT }, (_, index): [string, object] => [
    `r${index}`,
    { project, repository_path_pattern: `${project}/${index}`, minimum_access_level_for_push: "owner" },
  ]);
  place.write("main.tf.json", {
    provider: { steward: [{}] },
    resource: { steward_container_protection_rule: Object.fromEntries(rules) },
  });
};
const HERE = ["--config", "."];
const boxes = (err: string): number => err.split("│ Error: ").length - 1;
const CONCERNED = /This affects 30 objects:( steward_container_protection_rule\.r\d+,?){10} and 20 more\./;

/** Runs a command with both outputs, and expects one error for people and one per object for programs. */
async function toldOnce(args: readonly string[], code: string, env: Record<string, string>): Promise<string> {
  const { err, code: exit } = await place.run([...args, ...HERE], env);
  expect(exit).toBe(1);
  expect(boxes(err)).toBe(1);
  expect(err.replaceAll("\n│ ", " ")).toMatch(CONCERNED);
  const { out } = await place.run([...args, "--json", ...HERE], env);
  const events = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; diagnostic?: { code: string; address: string } });
  const reported = events.filter(
    ({ type, diagnostic }) => type === "diagnostic" && diagnostic!.code === code,
  );
  expect(new Set(reported.map(({ diagnostic }) => diagnostic!.address)).size).toBe(COUNT);
  return err;
}

test("a missing scope is one error for all objects", async () => {
  declare("acme/shop");
  const env = { STEWARD_TOKEN: TOKENS.reader };
  expect(await toldOnce(["apply", "--auto-approve"], "insufficient_scope", env)).toContain("read_api");
});

test("a missing role is one error for all objects", async () => {
  declare("acme/shop");
  const env = { STEWARD_TOKEN: TOKENS.developer };
  const err = await toldOnce(["apply", "--auto-approve"], "forbidden", env);
  // The warning before it is grouped too.
  expect(err.split("│ Warning: The token's role may not allow this change").length - 1).toBe(1);
});

test("a missing project is one error for all objects", async () => {
  declare("acme/nowhere");
  expect(await toldOnce(["plan"], "reference_not_found", {})).toContain('"acme/nowhere"');
});

test("a base URL with a wrong path is one error: it was reported as missing projects", async () => {
  declare("acme/shop");
  const wrong = `${place.service.url}/git`;
  const err = await toldOnce(["plan"], "no_api", { STEWARD_BASE_URL: wrong });
  expect(err.replaceAll("\n│ ", " ")).toContain(`No API at ${wrong}/api/v4 (404 for /user)`);
});

test("a report contains the error of each object", async () => {
  declare("acme/nowhere");
  await place.run(["plan", ...HERE, "--report", "plan.json"]);
  expect(place.read("plan.json").match(/"code": ?"reference_not_found"/g)).toHaveLength(COUNT);
});
