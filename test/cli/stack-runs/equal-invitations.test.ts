import { usePlace } from "../support/place";

// The tests check that each output shows hundreds of equal invitations as one entry, after an adoption and in a destroy.

const OWNER = "token-of-the-owner";
const COUNT = 250;
const place = usePlace("all", {
  users: [{ username: "olga", token: OWNER }],
  groups: [{ path: "acme", members: [{ user: "olga", role: "owner" }] }],
  projects: [
    {
      path: "acme/shop",
      invitations: Array.from({ length: COUNT }, (_, at) => ({
        email: `dev${at}@agency.example`,
        role: "developer",
      })),
    },
  ],
});
const run = (...words: string[]) => place.runIn(".", words, { STEWARD_TOKEN: OWNER });
const linesOf = (text: string): number => text.trimEnd().split("\n").length;

test("drift --coverage, adopt, explain and plan print 250 equal invitations as one entry", async () => {
  const coverage = await run("drift", "--coverage", "--group", "acme");
  expect(coverage.out).toContain(`# ${COUNT} objects steward_project_invitation are on the service`);
  expect(linesOf(coverage.out)).toBeLessThan(40);

  const adopted = await run("adopt", "acme", "--out", "estate", "--format", "json", "--include-emails");
  expect(adopted.code).toBe(0);
  expect(linesOf(adopted.out)).toBeLessThan(20);

  const explained = await run("explain", "acme/shop", "--config", "estate");
  expect(explained.code).toBe(0);
  expect(explained.out).toContain(`${COUNT} objects steward_project_invitation`);
  expect(linesOf(explained.out)).toBeLessThan(20);

  const imported = await run("plan", "--config", "estate");
  expect(imported.out).toContain(`# ${COUNT} objects steward_project_invitation will be imported`);
  expect(linesOf(imported.out)).toBeLessThan(80);

  expect((await run("apply", "--config", "estate", "--auto-approve")).code).toBe(0);
  const destroyed = await run("plan", "--destroy", "--config", "estate");
  expect(destroyed.out).toContain(`# ${COUNT} objects steward_project_invitation will be destroyed`);
  expect(linesOf(destroyed.out)).toBeLessThan(100);
});
